;; Walks over the bytes of one JSON value, as `endOfValue` in json-bytes.ts does, sixteen bytes of a string at a time, and notes
;; where the fields that are asked for stand: see json-walk.ts, which also says what lies where in the memory.
;; A value that is no JSON, or that only the other way knows, gives -1.
(module
  (import "memory")

  ;; The place behind the closing quote of the string whose first byte stands here. A string with escapes is noted in $escapes.
  (global $escapes)
  (func $string (param $at) (result) (local $byte)
    (local.v128 $bytes) (local.v128 $quotes) (local.v128 $slashes) (local.v128 $high) (local.v128 $zeros)
    (global.set $escapes (i32.const 0))
    ;; Made once: V8 would make them anew each time.
    (local.set $quotes (i8x16.splat (i32.const 34)))
    (local.set $slashes (i8x16.splat (i32.const 92)))
    (local.set $high (i8x16.splat (i32.const 224)))
    (loop $next
      (local.set $bytes (v128.load (local.get $at)))
      ;; Quotes, backslashes, and control characters, which have none of the high bits.
      (local.set $byte
        (i8x16.bitmask
          (v128.or
            (v128.or
              (i8x16.eq (local.get $bytes) (local.get $quotes))
              (i8x16.eq (local.get $bytes) (local.get $slashes)))
            (i8x16.eq (v128.and (local.get $bytes) (local.get $high)) (local.get $zeros)))))
      (if (i32.eqz (local.get $byte)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $byte))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.ne (local.get $byte) (i32.const 92)) (then
        (if (i32.eq (local.get $byte) (i32.const 34)) (then
          (return (i32.add (local.get $at) (i32.const 1)))))
        (return (i32.const -1))))
      (global.set $escapes (i32.const 1))
      ;; The table has 2 for what may follow a backslash alone, 6 for `u`, 0 for anything else. What comes next is looked at before
      ;; the table is: so its numbers are not added, but asked about.
      (local.set $byte (i32.and (i32.load8_u (i32.load8_u offset=1 (local.get $at))) (i32.const 6)))
      (if (i32.eq (local.get $byte) (i32.const 2)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $next)))
      (if (i32.eqz (local.get $byte)) (then (return (i32.const -1))))
      (if (i32.eqz (i32.and
          (i32.and
            (i32.load8_u (i32.load8_u offset=2 (local.get $at)))
            (i32.load8_u (i32.load8_u offset=3 (local.get $at))))
          (i32.and
            (i32.and
              (i32.load8_u (i32.load8_u offset=4 (local.get $at)))
              (i32.load8_u (i32.load8_u offset=5 (local.get $at))))
            (i32.const 8)))) (then
        (return (i32.const -1))))
      (local.set $at (i32.add (local.get $at) (i32.const 6)))
      (br $next))
    (i32.const -1))

  ;; Notes where the strings before $to begin and end that have more bytes than $longest, and gives the place behind the notes. -1: a
  ;; string is none, or does not end before $to, or there are more of them than there is room for.
  (func $long (export "long") (param $at) (param $to) (param $longest) (param $notes) (param $room) (result) (local $from)
    (loop $next
      (if (i32.ge_s (local.get $at) (local.get $to)) (then (return (local.get $notes))))
      (local.set $from (i32.add (local.get $at) (i32.const 1)))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 34)) (then
        (local.set $at (local.get $from))
        (br $next)))
      (local.set $at (call $string (local.get $from)))
      ;; -1 is the largest of all numbers without a sign.
      (if (i32.lt_u (local.get $to) (local.get $at)) (then (return (i32.const -1))))
      (br_if $next (i32.ge_s (local.get $longest) (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 1))))
      (if (i32.ge_s (local.get $notes) (local.get $room)) (then (return (i32.const -1))))
      (i32.store (local.get $notes) (local.get $from))
      (i32.store offset=4 (local.get $notes) (i32.sub (local.get $at) (i32.const 1)))
      (local.set $notes (i32.add (local.get $notes) (i32.const 8)))
      (br $next))
    (i32.const -1))

  ;; The number that a hexadecimal digit stands for.
  (func $digit (param $byte) (result) (local $letter)
    (local.set $letter (i32.shr_u (local.get $byte) (i32.const 6)))
    (i32.add
      (i32.and (local.get $byte) (i32.const 15))
      (i32.add (local.get $letter) (i32.shl (local.get $letter) (i32.const 3)))))

  ;; Writes what stands from $at to $to, from $rest on, with a mark in the place of each string that has more bytes than $longest; and what
  ;; that says, one text behind the other from $texts on, and up to sixteen bytes more. The first note is where the rest ends; then comes of
  ;; each such string how many bytes it has, and where its text begins and ends. Gives the place behind the notes. -1: a string is none, or
  ;; does not end before $to; or there is half of a pair of surrogates in a long one, which UTF-8 has no bytes for alone (pairs are left
  ;; to others as well); or a short one has U+0000, as marks have; or there are more than there is room for.
  ;; Of a text of more than $most bytes only the first 16 KB and the last 8 KB are right, and their places: what is written again and again
  ;; in the same place stays in the processor's cache.
  (func $apart (export "apart") (param $at) (param $to) (param $longest) (param $notes) (param $room) (param $texts) (param $rest) (param $most) (result)
    (local $from) (local $into) (local $byte) (local $found) (local $isOdd) (local $hasNul) (local $first) (local $copied) (local $marks)
    (local.v128 $bytes) (local.v128 $quotes) (local.v128 $slashes) (local.v128 $high) (local.v128 $zeros)
    (local.set $quotes (i8x16.splat (i32.const 34)))
    (local.set $slashes (i8x16.splat (i32.const 92)))
    (local.set $high (i8x16.splat (i32.const 224)))
    (local.set $copied (local.get $at))
    (local.set $first (local.get $notes))
    (local.set $notes (i32.add (local.get $notes) (i32.const 4)))
    (loop $next
      (if (i32.ge_s (local.get $at) (local.get $to)) (then
        (local.set $byte (i32.sub (local.get $to) (local.get $copied)))
        (memory.copy (local.get $rest) (local.get $copied) (local.get $byte))
        (i32.store (local.get $first) (i32.add (local.get $rest) (local.get $byte)))
        (return (local.get $notes))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.ne (local.get $byte) (i32.const 34)))
      (local.set $from (local.get $at))
      (local.set $into (local.get $texts))
      (local.set $isOdd (i32.const 0))
      (local.set $hasNul (i32.const 0))
      (block $ended
        (loop $more
          (local.set $bytes (v128.load (local.get $at)))
          (v128.store (local.get $into) (local.get $bytes))
          (local.set $found
            (i8x16.bitmask
              (v128.or
                (v128.or
                  (i8x16.eq (local.get $bytes) (local.get $quotes))
                  (i8x16.eq (local.get $bytes) (local.get $slashes)))
                (i8x16.eq (v128.and (local.get $bytes) (local.get $high)) (local.get $zeros)))))
          (if (i32.eqz (local.get $found)) (then
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (local.set $into (i32.add (local.get $into) (i32.const 16)))
            (if (i32.lt_s (local.get $most) (i32.sub (local.get $into) (local.get $texts))) (then
              (local.set $found (i32.add (local.get $texts) (i32.const 16384)))
              (memory.copy (local.get $found) (i32.sub (local.get $into) (i32.const 8192)) (i32.const 8192))
              (local.set $into (i32.add (local.get $found) (i32.const 8192)))))
            (br_if $more (i32.lt_s (local.get $at) (local.get $to)))
            (return (i32.const -1))))
          (local.set $found (i32.ctz (local.get $found)))
          (local.set $at (i32.add (local.get $at) (local.get $found)))
          (local.set $into (i32.add (local.get $into) (local.get $found)))
          (if (i32.ge_s (local.get $at) (local.get $to)) (then (return (i32.const -1))))
          (local.set $byte (i32.load8_u (local.get $at)))
          (br_if $ended (i32.eq (local.get $byte) (i32.const 34)))
          (if (i32.ne (local.get $byte) (i32.const 92)) (then (return (i32.const -1))))
          (local.set $byte (i32.load8_u offset=1 (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (block $known
            (if (i32.eq (local.get $byte) (i32.const 110)) (then
              (local.set $byte (i32.const 10))
              (br $known)))
            (if (i32.eqz (i32.and (i32.load8_u (local.get $byte)) (i32.const 6))) (then (return (i32.const -1))))
            ;; A quote, a slash, a backslash.
            (br_if $known (i32.lt_s (local.get $byte) (i32.const 93)))
            (if (i32.eq (local.get $byte) (i32.const 116)) (then
              (local.set $byte (i32.const 9))
              (br $known)))
            (if (i32.eq (local.get $byte) (i32.const 114)) (then
              (local.set $byte (i32.const 13))
              (br $known)))
            (if (i32.eq (local.get $byte) (i32.const 98)) (then
              (local.set $byte (i32.const 8))
              (br $known)))
            (if (i32.eq (local.get $byte) (i32.const 102)) (then
              (local.set $byte (i32.const 12))
              (br $known)))
            (if (i32.eqz (i32.and
                (i32.and
                  (i32.load8_u (i32.load8_u (local.get $at)))
                  (i32.load8_u (i32.load8_u offset=1 (local.get $at))))
                (i32.and
                  (i32.and
                    (i32.load8_u (i32.load8_u offset=2 (local.get $at)))
                    (i32.load8_u (i32.load8_u offset=3 (local.get $at))))
                  (i32.const 8)))) (then
              (return (i32.const -1))))
            (local.set $byte (i32.add
              (i32.add
                (i32.shl (call $digit (i32.load8_u (local.get $at))) (i32.const 12))
                (i32.shl (call $digit (i32.load8_u offset=1 (local.get $at))) (i32.const 8)))
              (i32.add
                (i32.shl (call $digit (i32.load8_u offset=2 (local.get $at))) (i32.const 4))
                (call $digit (i32.load8_u offset=3 (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (if (i32.eqz (local.get $byte)) (then (local.set $hasNul (i32.const 1))))
            (br_if $known (i32.lt_s (local.get $byte) (i32.const 128)))
            (if (i32.eq (i32.shr_u (local.get $byte) (i32.const 11)) (i32.const 27)) (then
              (local.set $isOdd (i32.const 1))))
            ;; All but the last of two or three bytes.
            (if (i32.lt_s (local.get $byte) (i32.const 2048)) (then
              (i32.store8 (local.get $into) (i32.or (i32.shr_u (local.get $byte) (i32.const 6)) (i32.const 192)))
              (local.set $into (i32.add (local.get $into) (i32.const 1))))
            (else
              (i32.store8 (local.get $into) (i32.or (i32.shr_u (local.get $byte) (i32.const 12)) (i32.const 224)))
              (i32.store8 offset=1 (local.get $into) (i32.or
                (i32.and (i32.shr_u (local.get $byte) (i32.const 6)) (i32.const 63)) (i32.const 128)))
              (local.set $into (i32.add (local.get $into) (i32.const 2)))))
            (local.set $byte (i32.or (i32.and (local.get $byte) (i32.const 63)) (i32.const 128))))
          (i32.store8 (local.get $into) (local.get $byte))
          (local.set $into (i32.add (local.get $into) (i32.const 1)))
          (br $more)))
      (local.set $byte (i32.sub (local.get $at) (local.get $from)))
      (if (i32.lt_s (local.get $longest) (local.get $byte)) (then
        (if (i32.or (local.get $isOdd) (i32.ge_s (local.get $notes) (local.get $room))) (then (return (i32.const -1))))
        (i32.store (local.get $notes) (local.get $byte))
        (i32.store offset=4 (local.get $notes) (local.get $texts))
        (i32.store offset=8 (local.get $notes) (local.get $into))
        (local.set $notes (i32.add (local.get $notes) (i32.const 12)))
        (local.set $texts (local.get $into))
        ;; What stands before it, its quote too, and the mark: \u0000\u0001, and its number in two letters.
        (local.set $byte (i32.sub (local.get $from) (local.get $copied)))
        (memory.copy (local.get $rest) (local.get $copied) (local.get $byte))
        (local.set $rest (i32.add (local.get $rest) (local.get $byte)))
        (i32.store (local.get $rest) (i32.const 0x3030755c))
        (i32.store offset=4 (local.get $rest) (i32.const 0x755c3030))
        (i32.store offset=8 (local.get $rest) (i32.const 0x31303030))
        (i32.store8 offset=12 (local.get $rest) (i32.add (i32.and (local.get $marks) (i32.const 31)) (i32.const 96)))
        (i32.store8 offset=13 (local.get $rest) (i32.add (i32.shr_u (local.get $marks) (i32.const 5)) (i32.const 96)))
        (local.set $rest (i32.add (local.get $rest) (i32.const 14)))
        (local.set $marks (i32.add (local.get $marks) (i32.const 1)))
        (local.set $copied (local.get $at)))
      (else
        (if (local.get $hasNul) (then (return (i32.const -1))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))
    (i32.const -1))

  ;; Notes where the line feeds before $to are, and for each of them a number that is 0 where all bytes of its line are ASCII (and mostly
  ;; only there), $wide being that of what stands before $at. Gives the place behind the notes. -1: there are more than there is room for.
  (func $lines (export "lines") (param $at) (param $to) (param $notes) (param $room) (param $wide) (result) (local $found) (local $place)
    (local $block) (local.v128 $bytes) (local.v128 $feeds)
    (local.set $feeds (i8x16.splat (i32.const 10)))
    (loop $next
      (if (i32.ge_s (local.get $at) (local.get $to)) (then (return (local.get $notes))))
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $block (i8x16.bitmask (local.get $bytes)))
      (local.set $wide (i32.or (local.get $wide) (local.get $block)))
      (local.set $found (i8x16.bitmask (i8x16.eq (local.get $bytes) (local.get $feeds))))
      (block $none
        (loop $more
          (br_if $none (i32.eqz (local.get $found)))
          (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
          (if (i32.ge_s (local.get $place) (local.get $to)) (then (return (local.get $notes))))
          (if (i32.ge_s (local.get $notes) (local.get $room)) (then (return (i32.const -1))))
          (i32.store (local.get $notes) (local.get $place))
          (i32.store offset=4 (local.get $notes) (local.get $wide))
          (local.set $notes (i32.add (local.get $notes) (i32.const 8)))
          (local.set $wide (local.get $block))
          (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
          (br $more)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))
    (i32.const -1))

  ;; As $lines, but the number of each line tells whether a mark of four to eight bytes stands in it: $head are its first four bytes, $tail its
  ;; last four, which begin $skip bytes behind the first. Sixty-four bytes at a time: mostly there is nothing among them.
  (func $marked (export "marked") (param $at) (param $to) (param $notes) (param $room) (param $head) (param $tail) (param $skip) (result)
    (local $found) (local $later) (local $from) (local $place) (local $isMarked)
    (local.v128 $a) (local.v128 $b) (local.v128 $c) (local.v128 $d)
    (local.v128 $feeds) (local.v128 $first) (local.v128 $fourth)
    (local.set $feeds (i8x16.splat (i32.const 10)))
    (local.set $first (i8x16.splat (local.get $head)))
    (local.set $fourth (i8x16.splat (i32.shr_u (local.get $head) (i32.const 24))))
    (loop $next
      (if (i32.ge_s (local.get $at) (local.get $to)) (then (return (local.get $notes))))
      ;; Line feeds, and where the first and the fourth byte of the mark stand.
      (local.set $a (v128.or
          (i8x16.eq (v128.load offset=0 (local.get $at)) (local.get $feeds))
          (v128.and
            (i8x16.eq (v128.load offset=0 (local.get $at)) (local.get $first))
            (i8x16.eq (v128.load offset=3 (local.get $at)) (local.get $fourth)))))
      (local.set $b (v128.or
          (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $feeds))
          (v128.and
            (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $first))
            (i8x16.eq (v128.load offset=19 (local.get $at)) (local.get $fourth)))))
      (local.set $c (v128.or
          (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $feeds))
          (v128.and
            (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $first))
            (i8x16.eq (v128.load offset=35 (local.get $at)) (local.get $fourth)))))
      (local.set $d (v128.or
          (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $feeds))
          (v128.and
            (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $first))
            (i8x16.eq (v128.load offset=51 (local.get $at)) (local.get $fourth)))))
      (local.set $from (local.get $at))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $next (i32.eqz (v128.any_true (v128.or
        (v128.or (local.get $a) (local.get $b))
        (v128.or (local.get $c) (local.get $d))))))
      (local.set $found (i32.or (i8x16.bitmask (local.get $a)) (i32.shl (i8x16.bitmask (local.get $b)) (i32.const 16))))
      (local.set $later (i32.or (i8x16.bitmask (local.get $c)) (i32.shl (i8x16.bitmask (local.get $d)) (i32.const 16))))
      (loop $more
        (if (i32.eqz (local.get $found)) (then
          (br_if $next (i32.eqz (local.get $later)))
          (local.set $found (local.get $later))
          (local.set $later (i32.const 0))
          (local.set $from (i32.add (local.get $from) (i32.const 32)))))
        (local.set $place (i32.add (local.get $from) (i32.ctz (local.get $found))))
        (if (i32.ge_s (local.get $place) (local.get $to)) (then (return (local.get $notes))))
        (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
        (if (i32.ne (i32.load8_u (local.get $place)) (i32.const 10)) (then
          (local.set $isMarked (i32.or (local.get $isMarked) (i32.and
            (i32.eq (i32.load (local.get $place)) (local.get $head))
            (i32.eq (i32.load (i32.add (local.get $place) (local.get $skip))) (local.get $tail)))))
          (br $more)))
        (if (i32.ge_s (local.get $notes) (local.get $room)) (then (return (i32.const -1))))
        (i32.store (local.get $notes) (local.get $place))
        (i32.store offset=4 (local.get $notes) (local.get $isMarked))
        (local.set $notes (i32.add (local.get $notes) (i32.const 8)))
        (local.set $isMarked (i32.const 0))
        (br $more)))
    (i32.const -1))

  (func $space (param $at) (result) (local $byte)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.or
          (i32.eq (local.get $byte) (i32.const 32))
          (i32.or (i32.eq (local.get $byte) (i32.const 9)) (i32.eq (local.get $byte) (i32.const 13)))) (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next))))
    (local.get $at))

  (func $digits (param $at) (result) (local $from)
    (local.set $from (local.get $at))
    (loop $next
      (if (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)) (i32.const 10)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next))))
    (if (i32.eq (local.get $at) (local.get $from)) (then (return (i32.const -1))))
    (local.get $at))

  ;; A number, `true`, `false` or `null`.
  (func $scalar (param $at) (result) (local $byte)
    (local.set $byte (i32.load (local.get $at)))
    ;; "true", "null"
    (if (i32.or
        (i32.eq (local.get $byte) (i32.const 0x65757274))
        (i32.eq (local.get $byte) (i32.const 0x6c6c756e))) (then
      (return (i32.add (local.get $at) (i32.const 4)))))
    ;; "fals", "e"
    (if (i32.eq (local.get $byte) (i32.const 0x736c6166)) (then
      (if (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x65)) (then
        (return (i32.add (local.get $at) (i32.const 5)))))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)) (then
      (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 48)) (then
      (local.set $at (i32.add (local.get $at) (i32.const 1))))
    (else
      (local.set $at (call $digits (local.get $at)))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 46)) (then
      (local.set $at (call $digits (i32.add (local.get $at) (i32.const 1))))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))))
    ;; "e", "E"
    (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 32)) (i32.const 101)) (then
      (local.set $byte (i32.load8_u offset=1 (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.or (i32.eq (local.get $byte) (i32.const 43)) (i32.eq (local.get $byte) (i32.const 45))) (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (local.set $at (call $digits (local.get $at)))))
    (local.get $at))

  ;; The entry of the field whose name stands here; 0 for others. Sixteen bytes at a time.
  (func $named (param $fields) (param $from) (param $length) (result) (local $entry) (local $done) (local $left)
    (local.set $entry (i32.load (i32.add (local.get $fields)
      (i32.shl (i32.and (local.get $length) (i32.const 63)) (i32.const 2)))))
    (block $none
      (loop $other
        (br_if $none (i32.eqz (local.get $entry)))
        (block $differs
          (br_if $differs (i32.ne (i32.load offset=4 (local.get $entry)) (local.get $length)))
          (local.set $done (i32.const 0))
          (loop $more
            (local.set $left (i32.sub (local.get $length) (local.get $done)))
            (if (i32.lt_s (local.get $left) (i32.const 1)) (then (return (local.get $entry))))
            ;; Bytes behind the name do not count.
            (br_if $differs
              (i32.and
                (i32.xor
                  (i8x16.bitmask (i8x16.eq
                    (v128.load (i32.add (local.get $from) (local.get $done)))
                    (v128.load offset=16 (i32.add (local.get $entry) (local.get $done)))))
                  (i32.const 65535))
                (select
                  (i32.const 65535)
                  (i32.sub (i32.shl (i32.const 1) (local.get $left)) (i32.const 1))
                  (i32.ge_s (local.get $left) (i32.const 16)))))
            (local.set $done (i32.add (local.get $done) (i32.const 16)))
            (br $more)))
        (local.set $entry (i32.load (local.get $entry)))
        (br $other)))
    (i32.const 0))

  ;; Where the value that begins here ends. $stack has, for every list and object that is open: what closes it, where its own
  ;; place is to be noted, what is asked for in it.
  (func $walk (export "walk") (param $at) (param $fields) (param $object) (param $stack) (result)
    (local $top) (local $most) (local $byte) (local $place) (local $from) (local $entry) (local $isKey)
    (local.set $top (local.get $stack))
    (local.set $most (i32.add (local.get $stack) (i32.const 6144)))
    (loop $value
      (block $ended
        (block $key
          (br_if $key (local.get $isKey))
          (local.set $byte (i32.load8_u (local.get $at)))
          (if (i32.eq (local.get $byte) (i32.const 34)) (then
            (local.set $at (call $string (i32.add (local.get $at) (i32.const 1))))
            (br_if $ended (i32.ne (local.get $at) (i32.const -1)))
            (return (i32.const -1))))
          (if (i32.eq (local.get $byte) (i32.const 123)) (then
            (local.set $at (call $space (i32.add (local.get $at) (i32.const 1))))
            (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 125)) (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br $ended)))
            (if (i32.eq (local.get $top) (local.get $most)) (then (return (i32.const -1))))
            (i32.store (local.get $top) (i32.const 125))
            (i32.store offset=4 (local.get $top) (local.get $place))
            (i32.store offset=8 (local.get $top) (local.get $fields))
            (local.set $top (i32.add (local.get $top) (i32.const 12)))
            (br $key)))
          (if (i32.eq (local.get $byte) (i32.const 91)) (then
            (local.set $at (call $space (i32.add (local.get $at) (i32.const 1))))
            (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 93)) (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br $ended)))
            (if (i32.eq (local.get $top) (local.get $most)) (then (return (i32.const -1))))
            (i32.store (local.get $top) (i32.const 93))
            (i32.store offset=4 (local.get $top) (local.get $place))
            (local.set $top (i32.add (local.get $top) (i32.const 12)))
            (local.set $place (i32.const 0))
            (local.set $fields (i32.const 0))
            (br $value)))
          (local.set $at (call $scalar (local.get $at)))
          (br_if $ended (i32.ne (local.get $at) (i32.const -1)))
          (return (i32.const -1)))
        ;; A key, and its colon.
        (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 34)) (then (return (i32.const -1))))
        (local.set $from (i32.add (local.get $at) (i32.const 1)))
        (local.set $at (call $string (local.get $from)))
        (if (i32.eq (local.get $at) (i32.const -1)) (then (return (i32.const -1))))
        (local.set $entry (i32.const 0))
        (local.set $fields (i32.load (i32.sub (local.get $top) (i32.const 4))))
        (if (local.get $fields) (then
          ;; In escapes it may be any.
          (if (global.get $escapes) (then (return (i32.const -1))))
          (local.set $entry (call $named (local.get $fields) (local.get $from)
            (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 1))))))
        (local.set $at (call $space (local.get $at)))
        (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 58)) (then (return (i32.const -1))))
        (local.set $at (call $space (i32.add (local.get $at) (i32.const 1))))
        (local.set $place (i32.const 0))
        (local.set $fields (i32.const 0))
        (if (local.get $entry) (then
          (local.set $place (i32.load offset=8 (local.get $entry)))
          (local.set $fields (i32.load offset=12 (local.get $entry)))
          ;; Of a key that stands twice, nothing of the first value may stay.
          (if (i32.and
              (i32.ne (local.get $fields) (i32.const 0))
              (i32.eq (i32.load (local.get $place)) (local.get $object))) (then
            (return (i32.const -1))))
          (i32.store (local.get $place) (local.get $object))
          (i32.store offset=4 (local.get $place) (local.get $at))))
        (local.set $isKey (i32.const 0))
        (br $value))
      ;; A value has ended.
      (loop $closed
        (if (local.get $place) (then
          (i32.store offset=8 (local.get $place) (local.get $at))))
        (if (i32.eq (local.get $top) (local.get $stack)) (then (return (local.get $at))))
        (local.set $at (call $space (local.get $at)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $from (i32.load (i32.sub (local.get $top) (i32.const 12))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.eq (local.get $byte) (local.get $from)) (then
          (local.set $top (i32.sub (local.get $top) (i32.const 12)))
          (local.set $place (i32.load offset=4 (local.get $top)))
          (br $closed)))
        (if (i32.ne (local.get $byte) (i32.const 44)) (then (return (i32.const -1)))))
      ;; Behind a comma stands a key, or a value of a list.
      (local.set $at (call $space (local.get $at)))
      (local.set $isKey (i32.eq (local.get $from) (i32.const 125)))
      (local.set $place (i32.const 0))
      (local.set $fields (i32.const 0))
      (br $value))
    (i32.const -1)))

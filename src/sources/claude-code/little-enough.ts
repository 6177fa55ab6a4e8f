import type { JsonObject } from '../json-access.ts';

/**
 * Long texts of which whoever asks only for what was said needs no more than how they begin: what tools gave, and what nobody reads.
 * Not what a tool gave that failed, was stopped or refused, since events tell that; nor what it was given (`file_path`, `new_string`), for the same reason.
 */
export function isLittleEnough(name: string, holder: JsonObject): boolean {
  switch (name) {
    case 'content':
      // Of a result, or beside it of a file that was read or written. Prompts and summaries have this name, too.
      return (holder.type === 'tool_result' && holder.is_error !== true) || typeof holder.filePath === 'string';
    case 'stdout':
      return holder.interrupted !== true;
    case 'originalFile':
    case 'oldString':
    case 'newString':
    case 'signature':
    case 'data':
    case 'base64':
      return true;
    default:
      return false;
  }
}

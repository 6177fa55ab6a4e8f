// What servers do not take, whoever asks them.

/** Bytes of an image as base64: 5 MB (the API's documentation). */
export const LARGEST_IMAGE = 5 * 1024 * 1024;

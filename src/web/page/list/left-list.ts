/** How the list was left, so that one gets back to it: what was asked of it, and how far down its rows one was. */
export const leftList = { address: '/', top: 0 };

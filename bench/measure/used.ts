/** Tells the parent process what this one used, and nothing else. */
export function tellUsed(): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write(`${JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS })}\n`);
}

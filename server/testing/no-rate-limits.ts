/** Settings under which nobody is told to wait: programs that test and measure ask more than people do. */
export const noRateLimits = {
  ADDRESS_REQUESTS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE: '0',
  STATISTICS_PER_MINUTE: '0',
  SEARCHES_PER_MINUTE: '0',
  EXPORTS_PER_MINUTE: '0',
  BUSY_AFTER_MS: '0',
}

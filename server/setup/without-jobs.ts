/**
 * The word with which the program answers requests and does nothing by itself: it sends no messages, fetches nothing
 * from other systems, and leaves every due job as it is. For a copy of an installation that goes on elsewhere.
 */
export const withoutJobs = '--without-jobs'

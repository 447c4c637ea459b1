/** Somebody looked at the names in a public notice. */
export const noticeViewed = '查看公示名单'

/** Somebody looked at the statistics of several schools. */
export const provinceViewed = '查看全省统计'

/** Acts that changed nothing: they stand in the trail, and not among what happened to a record. */
export const readingActs: readonly string[] = [noticeViewed, provinceViewed]

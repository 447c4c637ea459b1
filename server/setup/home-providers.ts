import { waitingApplications } from '../programme/circles/applications.queries.ts'
import type { HomeProviders } from '../programme/home/home.service.ts'
import { shownNews } from '../platform/news/news.queries.ts'
import { waitingTranscriptApplications } from '../outcomes/transcripts/applications.queries.ts'
import { warningCountsFor } from '../outcomes/thresholds/overview.service.ts'

/** What the first screen tells of news, circles, applications for transcripts and warned students. */
export const homeProviders: HomeProviders = {
  circles: waitingApplications,
  transcripts: waitingTranscriptApplications,
  warnings: warningCountsFor,
  async news(ctx) {
    const { records } = await shownNews(ctx, { current: 1, pageSize: 10 })
    return records.map(({ niId, niTitle, publishTime }) => ({
      id: niId,
      title: niTitle,
      time: publishTime ?? '',
      link: `/newsAdmin/newsList/detail?niId=${niId}`,
    }))
  },
}

import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { newsStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { newsApi, type NewsDetail } from '../../../contract/platform/news/news.calls.ts'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import type { RowAction } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { DetailPage, Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { StoredImage } from '../../core/parts/stored-file.tsx'
import { useTab } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { newsActions } from './news-actions.tsx'
import { NewsArticle } from './news-article.tsx'
import { newsPaths, newsTones } from './news-parts.tsx'

const { edit, publish, cancel, show, hide, removal } = newsActions

/** A news item; for those who look after it also how it is set up and what happened to it. */
export function NewsDetailPage() {
  const [query] = useSearchParams()
  const niId = query.get('niId') ?? ''
  const { close } = useTab()
  const [isGone, setGone] = useState(false)
  const { data: news, isPending, error, refetch } = useCall(newsApi.detail, { niId }, { enabled: !isGone })
  const isPublished = news?.niStatus === newsStatus.published
  useEffect(() => {
    if (isPublished) void send(newsApi.read, { niId }, { quiet: true, blocks: false }).catch(() => undefined)
  }, [niId, isPublished])
  const leave = () => {
    setGone(true)
    close(newsPaths.list)
  }
  return (
    <DetailPage<NewsDetail>
      record={news}
      isLoading={isPending}
      reading={{ error, refetch }}
      noun="新闻"
      list={newsPaths.list}
      idOf={({ niId }) => niId}
      name={({ niTitle }) => niTitle}
      status={({ niStatus, niTop }) => (
        <>
          <DictionaryChip type="news_status" value={niStatus} tones={newsTones} />
          {niTop === yesNo.yes && <StatusChip tone="publicity">置顶</StatusChip>}
        </>
      )}
      facts={({ ntName, niClass, createName, createTime }) =>
        [ntName, labelOf('news_class', niClass), `${createName} · ${createTime.slice(0, 16)}`].join(' · ')
      }
      actions={[publish, edit, cancel, show, hide, removal(leave)] as unknown as RowAction<NewsDetail>[]}
      tabs={(record) => [
        { key: 'article', title: '正文', content: <NewsArticle news={record} heading={false} /> },
        ...(record.can.length > 0
          ? [
              { key: 'info', title: '设置', content: <NewsFacts news={record} /> },
              { key: 'history', title: '动态', content: <RecordTimeline bizType="news" bizId={record.niId} /> },
            ]
          : []),
      ]}
    />
  )
}

const NewsFacts = ({ news }: { news: NewsDetail }) => (
  <Facts
    items={[
      { label: '分类', value: news.ntName },
      { label: '类型', value: labelOf('news_class', news.niClass) },
      { label: '首页展示', value: labelOf('yes_no', news.niIsShow) },
      { label: '置顶', value: labelOf('yes_no', news.niTop) },
      { label: '来源', value: news.niSource },
      { label: '作者', value: news.niAuthor },
      { label: '发布时间', value: news.publishTime?.slice(0, 16) },
      { label: '更新时间', value: news.updateTime.slice(0, 16) },
      ...(news.cancelReason ? [{ label: '取消原因', value: news.cancelReason, isWide: true }] : []),
      ...(news.niCover
        ? [{ label: '封面', isWide: true, value: <StoredImage view={fileApi.view} id={news.niCover} name="封面" /> }]
        : []),
    ]}
  />
)

import { useEffect } from 'react'
import { useParams } from 'react-router'
import { newsApi } from '../../../contract/platform/news/news.calls.ts'
import { send } from '../../core/service/api.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Answered, Card, LinkRow } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { usePages } from '../parts/use-pages.ts'

/** What the school has published. */
export function NewsPage() {
  const list = usePages(newsApi.shown)
  return (
    <Page title="新闻">
      <PagesList of={list} empty="还没有新闻">
        {({ niId, niTitle, ntName, publishTime }) => (
          <li key={niId}>
            <LinkRow to={`/news/${niId}`} title={niTitle} note={`${ntName}，${publishTime?.slice(0, 10) ?? ''}`} />
          </li>
        )}
      </PagesList>
    </Page>
  )
}

/** One news item. */
export function NewsItemPage() {
  const { niId = '' } = useParams()
  const item = useCall(newsApi.detail, { niId })
  useEffect(() => {
    void send(newsApi.read, { niId }, { quiet: true, blocks: false }).catch(() => undefined)
  }, [niId])
  return (
    <Page title="新闻">
      <Answered of={item}>
        {({ niTitle, niSubtitle, niSource, publishTime, niDetail, niLink }) => (
          <Card title={niTitle}>
            {niSubtitle && <p>{niSubtitle}</p>}
            <p className="s-note">{[niSource, publishTime?.slice(0, 16)].filter(Boolean).join('，')}</p>
            <RichText html={niDetail} />
            {niLink && (
              <p>
                <a href={niLink} rel="noreferrer" target="_blank">
                  打开链接
                </a>
              </p>
            )}
          </Card>
        )}
      </Answered>
    </Page>
  )
}

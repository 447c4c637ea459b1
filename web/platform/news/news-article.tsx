import LinkOutlined from '@ant-design/icons/LinkOutlined'
import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import { Link } from 'react-router'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { newsClass } from '../../../contract/core/codes/platform.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import type { NewsDetail } from '../../../contract/platform/news/news.calls.ts'
import { FileLink, StoredImage } from '../../core/parts/stored-file.tsx'
import { newsPaths } from './news-parts.tsx'
import { RichText } from '../../shared/rich-text/rich-text.tsx'
import { figure } from '../../core/service/figure.ts'
import './news.css'

type Article = Pick<
  NewsDetail,
  'niTitle' | 'niSubtitle' | 'niSource' | 'niAuthor' | 'publishTime' | 'niDetail' | 'niLink' | 'niClass' | 'imgList'
> &
  Partial<Pick<NewsDetail, 'attachments' | 'related' | 'readCount'>>

/** A news item as its readers see it. */
export function NewsArticle({ news, heading = true }: { news: Article; heading?: boolean }) {
  const {
    niTitle,
    niSubtitle,
    niSource,
    niAuthor,
    publishTime,
    niDetail,
    niLink,
    niClass,
    imgList,
    attachments = [],
    related = [],
    readCount,
  } = news
  const facts = [
    niSource && `来源：${niSource}`,
    niAuthor && `作者：${niAuthor}`,
    publishTime?.slice(0, 16),
    readCount !== undefined && `阅读 ${figure(readCount)}`,
  ].filter(Boolean)
  return (
    <article className="news-article">
      {heading && <h2 className="news-title">{niTitle}</h2>}
      {niSubtitle && <p className="news-subtitle">{niSubtitle}</p>}
      {facts.length > 0 && <p className="news-facts">{facts.join(' · ')}</p>}
      {niLink && isOneOf(niClass, newsClass.link, newsClass.video) && (
        <p>
          <a href={niLink} target="_blank" rel="noopener noreferrer nofollow">
            <LinkOutlined /> {niClass === newsClass.video ? '观看视频' : '打开链接'}：{niLink}
          </a>
        </p>
      )}
      {niDetail && <RichText html={niDetail} />}
      {imgList.length > 0 && (
        <div className="news-images">
          {imgList.map((id, at) => (
            <StoredImage key={id} view={fileApi.view} id={id} name={`${niTitle} 图片 ${at + 1}`} />
          ))}
        </div>
      )}
      {attachments.length > 0 && (
        <section className="news-more">
          <h3>附件</h3>
          {attachments.map(({ id, name }) => (
            <p key={id}>
              <FileLink view={fileApi.view} id={id} name={name} icon={<PaperClipOutlined />} />
            </p>
          ))}
        </section>
      )}
      {related.length > 0 && (
        <section className="news-more">
          <h3>推荐阅读</h3>
          <ul>
            {related.map(({ niId, niTitle: title }) => (
              <li key={niId}>
                <Link to={newsPaths.detail(niId)}>{title}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { ownNoticeApi } from '../../../contract/student/notices.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { TextField } from '../parts/fields.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { useOpens } from '../parts/use-opens.ts'
import { usePages } from '../parts/use-pages.ts'
import { amountText } from '../../../contract/core/figure.ts'

/** Who gets what in a course, masked; a whole number finds its row. */
export function NoticedPeoplePage() {
  const { liId = '' } = useParams()
  const [number, setNumber] = useState('')
  const mayAsk = useOpens('/notices/ask')
  const list = usePages(ownNoticeApi.people, { liId, ...(number && { suiNumber: number }) })
  return (
    <Page
      title="公示名单"
      foot={
        mayAsk && (
          <Link className="s-button s-primary" to={`/notices/ask?liId=${liId}`}>
            提出质疑或举报
          </Link>
        )
      }
    >
      <TextField label="按学号查找" type="search" value={number} onChange={setNumber} help="输入完整学号" />
      <PagesList of={list} empty={mayAsk ? '名单中没有这个学号；如应在名单中，可以提出质疑' : '名单中没有这个学号'}>
        {({ suiName, suiNumber, collegeName, laResult, awardName, hours }) => (
          <li key={`${suiNumber}${suiName}${hours}`} className="s-row">
            <span className="s-row-text">
              <strong>
                {suiName} {suiNumber}
              </strong>
              <small>
                {collegeName}，{awardName || labelOf('result_status', laResult)}
              </small>
            </span>
            <b>{amountText(hours)} 学时</b>
          </li>
        )}
      </PagesList>
    </Page>
  )
}

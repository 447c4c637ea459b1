import { useState } from 'react'
import { Link } from 'react-router'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import { ownNoticeApi } from '../../../contract/student/notices.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { useConfirm } from '../parts/confirm.tsx'
import { TextField } from '../parts/fields.tsx'
import { Chip, LinkRow, Steps, Tabs, type Tone } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { useOpens } from '../parts/use-opens.ts'
import { usePages } from '../parts/use-pages.ts'
import { figure } from '../../../contract/core/figure.ts'
import { amountText } from '../../../contract/core/figure.ts'

const views = [
  ['lessons', '课程'],
  ['supplements', '补录'],
  ['mine', '我的质疑'],
] as const

/** What is in public notice in the school, and what the student asked about it. */
export function NoticesPage() {
  const [view, setView] = useState<(typeof views)[number][0]>('lessons')
  return (
    <Page title="公示与质疑">
      <Tabs of={views} value={view} onChange={setView} label="公示与质疑" />
      {view === 'lessons' ? <Lessons /> : view === 'supplements' ? <Supplements /> : <Mine />}
    </Page>
  )
}

function Lessons() {
  const list = usePages(ownNoticeApi.lessons)
  return (
    <PagesList of={list} empty="现在没有公示中的课程">
      {({ liId, liName, people, liPublictyEdate, isQuestioned }) => (
        <li key={liId}>
          <LinkRow
            to={`/notices/${liId}`}
            title={liName}
            note={`${figure(people)} 人，公示至 ${liPublictyEdate.slice(0, 10)}`}
            mark={isQuestioned && <Chip tone="waiting">质疑处理中</Chip>}
          />
        </li>
      )}
    </PagesList>
  )
}

function Supplements() {
  const [number, setNumber] = useState('')
  const list = usePages(ownNoticeApi.supplements, number ? { suiNumber: number } : {})
  const mayAsk = useOpens('/notices/ask')
  return (
    <>
      <TextField label="按学号查找" type="search" value={number} onChange={setNumber} help="输入完整学号" />
      <PagesList of={list} empty="没有找到公示中的补录">
        {(row) => (
          <li key={row.lisId} className="s-row">
            <span className="s-row-text">
              <strong>{row.lisName}</strong>
              <small>
                {row.suiName} {row.suiNumber}，{row.collegeName}，{amountText(row.hours)} 学时，公示至{' '}
                {row.lisPublictyEdate.slice(0, 10)}
              </small>
            </span>
            {mayAsk && (
              <Link
                className="s-button"
                aria-label={`质疑 ${row.lisName}`}
                to={`/notices/ask?lisId=${row.lisId}&name=${encodeURIComponent(row.lisName)}`}
              >
                质疑
              </Link>
            )}
          </li>
        )}
      </PagesList>
    </>
  )
}

const tones: Record<string, Tone> = {
  [questionStatus.pending]: 'waiting',
  [questionStatus.overdue]: 'waiting',
  [questionStatus.inReview]: 'published',
  [questionStatus.upheld]: 'finished',
  [questionStatus.rejected]: 'refused',
}

function Mine() {
  const list = usePages(ownNoticeApi.mine)
  return (
    <PagesList of={list} empty="您还没有提出过质疑。除受理人员外，没有人知道是谁提出的。">
      {(row) => (
        <li key={row.qId} className="s-card">
          <div className="s-card-head">
            <h2>{row.name}</h2>
            <Chip tone={tones[row.qStatus] ?? 'draft'}>{labelOf('question_status', row.qStatus)}</Chip>
          </div>
          <p>
            {labelOf('question_type', row.qType)}：{row.qContent}
          </p>
          <Steps
            of={[
              { name: `${row.createTime.slice(0, 16)} 提出`, state: 'passed' },
              row.acceptTime
                ? { name: `${row.acceptTime.slice(0, 16)} 受理`, state: 'passed' }
                : {
                    name: '受理',
                    state: row.handleTime ? 'passed' : 'now',
                    note: `${row.deadline.slice(0, 10)} 前受理`,
                  },
              {
                name: row.handleTime ? `${row.handleTime.slice(0, 16)} 答复` : '答复',
                state: row.handleTime ? (row.qStatus === questionStatus.rejected ? 'failed' : 'passed') : 'ahead',
                note: [row.opinion, row.outcomeOpinion].filter(Boolean).join('。'),
              },
            ]}
          />
          {row.can.includes('withdraw') && <Withdraw qId={row.qId} />}
        </li>
      )}
    </PagesList>
  )
}

function Withdraw({ qId }: { qId: string }) {
  const withdraw = useSend(ownNoticeApi.withdraw)
  const { ask, question } = useConfirm()
  return (
    question ?? (
      <button
        type="button"
        className="s-button"
        onClick={() =>
          ask({
            name: '撤回质疑',
            text: '撤回后不再处理，也不能恢复；公示结束后不能再提出。撤回这次质疑？',
            run: async () => {
              await withdraw.send({ qId, opinion: '本人撤回，不再质疑' })
              notify('success', '已撤回')
            },
          })
        }
      >
        撤回
      </button>
    )
  )
}

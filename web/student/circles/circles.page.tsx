import { useState } from 'react'
import { circleJoinMode } from '../../../contract/core/codes/programme.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { ownCircleApi, type StudentsCircle } from '../../../contract/student/circles.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { useConfirm } from '../parts/confirm.tsx'
import { AreaField, TextField } from '../parts/fields.tsx'
import { Chip } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { usePages } from '../parts/use-pages.ts'
import { figure } from '../../core/service/figure.ts'

/** The circles of the school, the student's own first. */
export function CirclesPage() {
  const [name, setName] = useState('')
  const list = usePages(ownCircleApi.list, name ? { ciName: name } : {})
  return (
    <Page title="圈子">
      <TextField label="查找圈子" type="search" value={name} onChange={setName} />
      <PagesList of={list} empty="没有找到圈子">
        {(circle) => <Circle key={circle.ciId} circle={circle} />}
      </PagesList>
    </Page>
  )
}

function Circle({ circle }: { circle: StudentsCircle }) {
  const { ciId, ciName, ccName, collegeName, ciDesc, leaderName, memberCount, memberMax, cmRole, caId, refusal, can } =
    circle
  const [reason, setReason] = useState<string>()
  const { ask, question } = useConfirm()
  const join = useSend(ownCircleApi.join)
  const withdraw = useSend(ownCircleApi.withdraw)
  const leave = useSend(ownCircleApi.leave)
  const told = (work: Promise<unknown>, word: string) =>
    void work.then(
      () => {
        setReason(undefined)
        notify('success', word)
      },
      () => undefined,
    )
  return (
    <li className="s-card">
      <div className="s-card-head">
        <h2>{ciName}</h2>
        {cmRole && <Chip tone="finished">{labelOf('circle_member_role', cmRole)}</Chip>}
        {caId && <Chip tone="waiting">待审核</Chip>}
      </div>
      <p className="s-note">
        {[
          ccName,
          collegeName,
          `负责人 ${leaderName}`,
          `${figure(memberCount)}${memberMax ? ` / ${figure(memberMax)}` : ''} 人`,
        ]
          .filter(Boolean)
          .join('，')}
      </p>
      {ciDesc && <p>{ciDesc}</p>}
      {refusal && <p role="status">上次申请未通过：{refusal}</p>}
      {reason !== undefined && (
        <>
          <AreaField label="申请说明" required value={reason} onChange={setReason} maxLength={500} />
          <button
            type="button"
            className="s-button s-primary"
            disabled={join.isSending}
            onClick={() =>
              told(
                join.send({ ciId, applyReason: reason }),
                circle.joinMode === circleJoinMode.open ? '已加入' : '已申请，等待审核',
              )
            }
          >
            提交申请
          </button>
        </>
      )}
      {can.includes('join') && reason === undefined && (
        <button type="button" className="s-button" onClick={() => setReason('')}>
          申请加入
        </button>
      )}
      {can.includes('withdraw') && caId && (
        <button type="button" className="s-button" onClick={() => told(withdraw.send({ caId }), '已撤回')}>
          撤回申请
        </button>
      )}
      {can.includes('leave') &&
        (question ?? (
          <button
            type="button"
            className="s-button"
            onClick={() =>
              ask({
                name: '退出圈子',
                text: `退出${quoted(ciName)}？再加入须重新申请。`,
                run: async () => {
                  await leave.send({ ciId })
                  notify('success', '已退出')
                },
              })
            }
          >
            退出圈子
          </button>
        ))}
    </li>
  )
}

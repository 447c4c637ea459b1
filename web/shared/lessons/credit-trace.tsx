import { Drawer } from 'antd'
import { useState } from 'react'
import type { CreditTrace } from '../../../contract/programme/lessons/credit-trace.ts'
import { personLessonApi } from '../../../contract/programme/lessons/person-lessons.calls.ts'
import { registrationApi, type RegistrationRow } from '../../../contract/programme/lessons/registration.calls.ts'
import { Timeline, type TimelineEntry } from '../../core/parts/timeline.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import './lessons.css'

type Gate = CreditTrace['gates'][number]

const toEntry = ({ name, passed, failed, pending, note, hint }: Gate): TimelineEntry => ({
  key: name,
  note,
  title: `${name}${pending ? '（进行到这里）' : failed ? '（在此中止）' : passed ? '' : '（未到）'}`,
  tone: passed ? 'done' : pending ? 'now' : failed ? 'refused' : 'waiting',
  ...(hint && { text: hint }),
})

/** Where somebody's credit of one course went, over the list of its participants. */
export function ParticipantCreditTrace({ row, onClose }: { row: RegistrationRow; onClose: () => void }) {
  const { data } = useCall(registrationApi.explain, { laId: row.laId })
  return <TraceDrawer trace={data} title={`学时去哪了：${row.suiName}（${row.suiNumber}）`} onClose={onClose} />
}

/** The same from the side of the student. */
export function StudentCreditTrace({
  suId,
  lesson: { liId, liName },
  onClose,
}: {
  suId: string
  lesson: { liId: string; liName: string }
  onClose: () => void
}) {
  const { data } = useCall(personLessonApi.path, { suId, liId })
  return <TraceDrawer trace={data} title={`学时去哪了：${liName}`} onClose={onClose} />
}

/**
 * Every gate from applying to the ledger, the one that stopped it and what may be done about it, and how each value
 * came about.
 */
function TraceDrawer({
  trace,
  title,
  onClose,
}: {
  trace: CreditTrace | undefined
  title: string
  onClose: () => void
}) {
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  return (
    <Drawer
      open={isOpen}
      title={title}
      size={isPhone ? '100%' : 480}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
    >
      {!trace ? (
        <ReadSkeleton />
      ) : (
        <>
          <Timeline entries={trace.gates.map(toEntry)} />
          <Entries trace={trace} />
        </>
      )}
    </Drawer>
  )
}

function Entries({ trace: { entries, expected } }: { trace: CreditTrace }) {
  return (
    <section className="facts">
      <h2>{expected ? '预计入账' : '入账明细'}</h2>
      {entries.length === 0 ? (
        <p className="nothing">尚未入账；公示期满自动记入。</p>
      ) : (
        <>
          {expected && (
            <p className="trace-expected">按当前评定推算，以结果审批和公示后的入账为准；个人上限在入账时扣减。</p>
          )}
          <ul className="trace-entries">
            {entries.map(({ clType, value, explain, steps, grantedAt, corrects }, at) => (
              <li key={at}>
                <b>
                  {corrects && !value.startsWith('-') ? '＋' : ''}
                  {value} {clType}
                  {corrects && <small>（更正）</small>}
                </b>
                {steps.length > 2 && (
                  <ol className="trace-steps">
                    {steps.map(({ label, value: amount }) => (
                      <li key={label}>
                        <span>{label}</span>
                        <span className="figures">{amount}</span>
                      </li>
                    ))}
                  </ol>
                )}
                <span>{explain}</span>
                {grantedAt && <small>{grantedAt.slice(0, 16)} 入账</small>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

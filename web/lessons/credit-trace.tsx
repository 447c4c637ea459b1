import { Drawer, Skeleton } from 'antd'
import { useState } from 'react'
import type { Output } from '../../contract/core/call.ts'
import { registrationApi, type RegistrationRow } from '../../contract/lessons/registration.calls.ts'
import { labelOf } from '../core/dictionary.ts'
import { Timeline, type TimelineEntry } from '../core/timeline.tsx'
import { useCall } from '../core/use-call.ts'
import { useIsPhone } from '../core/use-width.ts'

type Gate = Output<typeof registrationApi.explain>['gates'][number]

/** Gates that the course as a whole has yet to pass: to stand before them is no fault of the student's. */
const common = new Set(['结果审批', '公示', '入账'])

function toEntry({ name, passed, failed, note }: Gate): TimelineEntry {
  const isPending = failed && common.has(name)
  return { key: name, note, title: `${name}${isPending ? '（进行到这里）' : failed ? '（在此中止）' : passed ? '' : '（未到）'}`, tone: passed ? 'done' : isPending ? 'now' : failed ? 'refused' : 'waiting' }
}

/** Where somebody's credit went: every gate from applying to the ledger, the one that stopped it, and how what was granted came about. */
export function CreditTrace({ row, onClose }: { row: RegistrationRow; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  const { data } = useCall(registrationApi.explain, { laId: row.laId })
  return (
    <Drawer open={isOpen} title={`学时去哪了：${row.suiName}（${row.suiNumber}）`} size={isPhone ? '100%' : 460} onClose={() => setOpen(false)} afterOpenChange={(open) => !open && onClose()}>
      {!data ? (
        <Skeleton active />
      ) : (
        <>
          <Timeline entries={data.gates.map(toEntry)} />
          <section className="facts">
            <h2>入账明细</h2>
            {data.entries.length === 0 ? (
              <p className="nothing">尚未入账；公示期满自动记入。</p>
            ) : (
              <ul className="trace-entries">
                {data.entries.map(({ clType, value, explain }, at) => <li key={at}><b>{value} {labelOf('credit_type', clType)}</b><span>{explain}</span></li>)}
              </ul>
            )}
          </section>
        </>
      )}
    </Drawer>
  )
}

import { deviceName } from '../../shared/accounts/device-name.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import type { AuditChange } from '../../../contract/school/audit/audit.schema.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { DictionaryText } from '../../core/parts/dictionary-text.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { resultTones } from './audit-tones.ts'
import './audit.css'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** One row of the audit trail with everything it tells. */
export function AuditDrawer({ logId, onClose }: { logId: string; onClose: () => void }) {
  const { data: row, ...reading } = useCall(auditApi.detail, { logId })
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  return (
    <Drawer
      open={isOpen}
      size={isPhone ? '100%' : 640}
      title={row ? row.action : '操作日志'}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
    >
      {!row && <ReadSkeleton reading={reading} paragraph={{ rows: 8 }} />}
      {row && (
        // the drawer scrolls, so something in it must take the keyboard
        <div tabIndex={0}>
          <Facts
            items={[
              { label: '时间', value: <span className="figures">{row.logTime}</span> },
              { label: '结果', value: <DictionaryChip type="audit_result" value={row.result} tones={resultTones} /> },
              { label: '操作人', value: [row.actorName, row.actorNumber].filter(Boolean).join(' ') },
              { label: '记录类型', value: row.bizType && <DictionaryText type="audit_kind" value={row.bizType} /> },
              { label: '记录', value: row.bizName, isWide: true },
              ...(row.reason ? [{ label: '原因', value: row.reason, isWide: true }] : []),
            ]}
          />
          <section className="facts">
            <h2>变化</h2>
            {row.changes.length > 0 ? (
              <Differences changes={row.changes} />
            ) : (
              <p className="nothing">没有记录字段的变化</p>
            )}
          </section>
          <Facts
            title="来源"
            items={[
              { label: 'IP 地址', value: row.ip, isWide: true },
              { label: '请求编号', value: <code>{row.requestId}</code>, isWide: true },
              {
                label: '设备',
                value: row.agent && <span title={row.agent}>{deviceName(row.agent)}</span>,
                isWide: true,
              },
              {
                label: '封存',
                value: row.sealNo === null ? '等待封存（每分钟一次）' : `第 ${figure(row.sealNo)} 号`,
                isWide: true,
              },
            ]}
          />
        </div>
      )}
    </Drawer>
  )
}

/** What was and what is, field by field. */
function Differences({ changes }: { changes: readonly AuditChange[] }) {
  const isNew = changes.every(({ before }) => before === '')
  return (
    <table className="differences">
      <thead>
        <tr>
          <th scope="col">字段</th>
          {!isNew && <th scope="col">变化前</th>}
          <th scope="col">{isNew ? '内容' : '变化后'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {!isNew && <td>{before || <span className="nothing">空</span>}</td>}
            <td>{after || <span className="nothing">空</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

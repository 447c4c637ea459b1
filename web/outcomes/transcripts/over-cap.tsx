import { useState } from 'react'
import { overCapApi } from '../../../contract/programme/credits/over-cap.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { AreaField, NumberField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { amountText } from '../../core/service/figure.ts'

/**
 * What a student was granted above the caps of their terms, with the way to grant more in a term in which that may be
 * asked for.
 */
export function OverCap({ suId, suiName }: { suId: string; suiName: string }) {
  const { data } = useCall(overCapApi.list, { suId })
  const [isOpen, setOpen] = useState(false)
  if (!data || (data.raises.length === 0 && data.can.length === 0)) return null
  return (
    <section className="card over-cap" aria-label="学期超限">
      <p>
        每学期上限 {data.termCapHours} 学时，第 {data.overCapTerm} 学期起可申请超限；
        {data.termNo > 0 ? `现为该生第 ${data.termNo} 学期（${data.tmName}）。` : '该生入学时间未知。'}
      </p>
      {data.raises.length > 0 && (
        <ul>
          {data.raises.map(({ ocId, tmName, hours, reason, createName, createTime }) => (
            <li key={ocId}>
              {tmName} 增加 {amountText(hours)} 学时：{reason}（{createName}，{createTime.slice(0, 10)}）
            </li>
          ))}
        </ul>
      )}
      {data.can.includes('raise') && (
        <ActionButton to={overCapApi.raise} onClick={() => setOpen(true)}>
          批准超限
        </ActionButton>
      )}
      {isOpen && (
        <DialogForm
          title={`批准学期超限 · ${suiName}`}
          call={overCapApi.raise}
          initial={{ suId }}
          submitText="批准"
          doneText="已批准，因上限未计入的学时已重新计算"
          onClose={() => setOpen(false)}
        >
          <NumberField
            name="hours"
            span={12}
            unit="学时"
            help={`在本学期上限 ${data.termCapHours} 学时之外增加，只对本学期有效`}
          />
          <AreaField name="reason" rows={3} placeholder="如：毕业学期补足实践学时，学院已审核" />
        </DialogForm>
      )}
    </section>
  )
}

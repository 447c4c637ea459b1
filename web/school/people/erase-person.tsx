import { useState, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import { actionOn, type OpenAction } from '../../core/action/action.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { AreaField, TextField } from '../../core/form/fields.tsx'
import { figure } from '../../core/service/figure.ts'
import { useCall } from '../../core/service/use-call.ts'
import { personKinds, type PersonKind } from './person-kinds.ts'

interface Facts {
  suId: string
  suiName: string
}
type Preview = Output<typeof personErasureApi.preview>

/** Erasing the data of somebody who asks for it: the action, and the dialog it opens. */
export function usePersonErasure(kind: PersonKind): { erase: OpenAction<Facts>; dialog: ReactNode } {
  const [person, setPerson] = useState<Facts>()
  return {
    erase: actionOn<Facts>().open({
      label: '删除个人信息',
      call: personErasureApi.erase,
      isDanger: true,
      onOpen: ([row]) => setPerson(row),
    }),
    dialog: person && <ErasePersonDialog kind={kind} person={person} onClose={() => setPerson(undefined)} />,
  }
}

/** What would go and what stays, or why not yet; then the number typed by hand, and the reason. */
function ErasePersonDialog({ kind, person, onClose }: { kind: PersonKind; person: Facts; onClose: () => void }) {
  const { data } = useCall(personErasureApi.preview, { suId: person.suId }, { staleTime: 0 })
  const isPossible = data?.obstacles.length === 0
  const number = personKinds[kind].number.title
  return (
    <DialogForm
      title={`删除${quoted(person.suiName)}的个人信息`}
      call={personErasureApi.erase}
      input={({ confirmNumber, reason }) => ({
        suId: person.suId,
        confirmNumber: confirmNumber as string,
        reason: reason as string,
      })}
      isLoading={!data}
      canSubmit={isPossible}
      submitText="删除个人信息"
      isDanger
      doneText={({ suiName }) => `个人信息已删除，今后显示为${quoted(suiName)}`}
      width={600}
      onClose={onClose}
    >
      {data && (
        <div className="erasure-preview">
          {isPossible ? (
            <>
              <p className="dialog-warning">
                仅在本人要求删除个人信息、经学校核准后办理。删除后不能恢复，今后显示为{quoted(data.pseudonym)}。
              </p>
              <Extent title="将删除" items={erasedOf(data, number)} />
              <Extent title="保留，以化名显示" items={keptOf(data)} />
              <Extent title="保留原样" items={leftAlone} />
            </>
          ) : (
            <Extent title="现在不能删除" items={data.obstacles} />
          )}
        </div>
      )}
      {isPossible && (
        <>
          <TextField name="confirmNumber" help={`请输入${number} ${data.suiNumber} 确认`} />
          <AreaField name="reason" rows={3} placeholder="不少于 5 个字，如：本人书面申请，经学校核准" />
        </>
      )}
    </DialogForm>
  )
}

function Extent({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  )
}

const counted = (parts: readonly (readonly [words: string, count: number, unit: string])[]): string =>
  parts.flatMap(([words, count, unit]) => (count > 0 ? [`${words} ${figure(count)} ${unit}`] : [])).join('、')

function erasedOf({ erased }: Preview, number: string): string[] {
  const { facts, devices, bindings, roles, proofs, works, answers } = erased
  return [
    `姓名和${number}：改为化名，他人所写内容中的也一并替换`,
    facts.join('、'),
    `账号：停用，不能再登录；${counted([
      ['登录设备', devices, '台'],
      ['绑定的登录方式', bindings, '个'],
      ['角色', roles, '个'],
    ])}`.replace(/；$/, ''),
    counted([
      ['证明材料', proofs, '份'],
      ['提交的作品', works, '份'],
      ['报名时的回答', answers, '份'],
    ]),
  ].filter(Boolean)
}

function keptOf({ kept }: Preview): string[] {
  const records = counted([
    ['学分台账', kept.credits, '条'],
    ['课程报名', kept.registrations, '条'],
    ['补录', kept.supplements, '条'],
    ['负责或任职的课程', kept.lessons, '门'],
    ['审批', kept.approvals, '条'],
  ])
  return [
    ...(records ? [`${records}：学时、学分和统计不变`] : []),
    ...(kept.transcripts > 0
      ? [`已签发的成绩单 ${figure(kept.transcripts)} 份：不能再打印，持有人仍可核验真伪和状态`]
      : []),
  ]
}

/** The trail is sealed: a name taken out would break its chain. */
const leftAlone = ['操作日志：依法留存，不可更改，其中的姓名不替换，超过学校设定的保存期限后归档']

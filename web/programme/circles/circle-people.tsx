import { elsewhereNote } from '../../shared/people/person-field.tsx'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { send } from '../../core/service/api.ts'
import { RemoteSelectField } from '../../core/form/fields.tsx'
import type { FieldProps } from '../../core/form/form-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import type { RemoteChoice } from '../../core/parts/remote-select.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import { useGuardedDialog } from '../../core/screen/use-guarded-dialog.ts'

interface Person {
  suId: string
  suiName: string
  suiNumber: string
  className?: string
  collegeName?: string
}
type PeopleProps = FieldProps & { known?: readonly Person[] | undefined; multiple?: boolean; max?: number }

const choiceOf = ({ suId, suiName, suiNumber, className, collegeName }: Person): RemoteChoice => ({
  value: suId,
  label: suiName,
  hint: [suiNumber, className || collegeName].filter(Boolean).join(' · '),
})

/** Students found by name or number. */
export const StudentField = ({ known = [], placeholder = '输入姓名或学号', ...props }: PeopleProps) => (
  <RemoteSelectField
    {...props}
    placeholder={placeholder}
    note={elsewhereNote}
    call={circleApi.students}
    input={(word) => (word ? { numberOrName: word } : {})}
    options={(people) => people.map(choiceOf)}
    known={known.map(choiceOf)}
  />
)

/** Teachers found by name or number. */
export const TeachersField = ({ known = [], ...props }: PeopleProps) => (
  <RemoteSelectField
    {...props}
    multiple
    max={20}
    placeholder="输入姓名或工号"
    note={elsewhereNote}
    call={circleApi.teachers}
    input={(word) => (word ? { numberOrName: word } : {})}
    options={(people) => people.map(choiceOf)}
    known={known.map(choiceOf)}
  />
)

/** Members, one by one or as a pasted list of numbers. */
export function MembersField({ name, known = [] }: { name: string; known?: readonly Person[] }) {
  const form = Form.useFormInstance()
  const setField = useSetField()
  const chosen = Form.useWatch<string[] | undefined>(name, form) ?? []
  const [pasted, setPasted] = useState<readonly Person[]>([])
  const [isOpen, setOpen] = useState(false)
  const take = (people: readonly Person[]) => {
    setPasted((now) => [...now, ...people])
    setField(name, [...new Set([...chosen, ...people.map(({ suId }) => suId)])])
    void form.validateFields([name]).catch(() => undefined)
  }
  return (
    <>
      <StudentField
        name={name}
        multiple
        max={1000}
        known={[...known, ...pasted]}
        help={
          <>
            已选 {chosen.length} 名成员。
            <Button type="link" size="small" className="inline-act" onClick={() => setOpen(true)}>
              按学号批量添加
            </Button>
          </>
        }
      />
      {isOpen && <PasteNumbers onTake={take} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Numbers that are looked up by one address, of which proxies take 8 KB. */
const numbersAtOnce = 200

/** Looks up a pasted list of numbers and says which of them are nobody's. */
function PasteNumbers({ onTake, onClose }: { onTake: (people: readonly Person[]) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const held = useGuardedDialog(text !== '')
  const numbers = [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]
  const look = async () => {
    setBusy(true)
    try {
      const people: Person[] = []
      for (let at = 0; at < numbers.length; at += numbersAtOnce) {
        const some = numbers.slice(at, at + numbersAtOnce)
        // a list of one is looked up as a list too, not as a part of a name
        const found = await send(circleApi.students, { numberOrName: [...some, some[0]].join(' ') })
        people.push(...found.filter(({ suiNumber }) => some.includes(suiNumber)))
      }
      const missing = numbers.filter((number) => !people.some(({ suiNumber }) => suiNumber === number))
      onTake(people)
      notify(
        missing.length > 0 ? 'warning' : 'success',
        missing.length > 0
          ? `已添加 ${people.length} 人；${missing.length} 个学号没有对应的在读或延期学生：${missing.slice(0, 5).join('、')}`
          : `已添加 ${people.length} 人`,
      )
      onClose()
    } catch {
      setBusy(false) // what went wrong has been told
    }
  }
  return (
    <Dialog
      open
      title="按学号批量添加成员"
      okText={numbers.length > 0 ? `添加 ${numbers.length} 个学号` : '添加'}
      cancelText="取消"
      okButtonProps={{ disabled: numbers.length === 0 }}
      confirmLoading={isBusy}
      onOk={() => void look()}
      onCancel={onClose}
      {...held}
    >
      <Input.TextArea
        aria-label="学号"
        autoFocus
        autoSize={{ minRows: 6, maxRows: 14 }}
        maxLength={20_000}
        value={text}
        placeholder="每行一个学号，也可用空格或逗号分隔"
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  )
}

import DownOutlined from '@ant-design/icons/DownOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { Button, Dropdown, Form, Space } from 'antd'
import { useState } from 'react'
import type { Call, Input } from '../../../contract/core/call.ts'
import type { FailureName } from '../../../contract/core/failure.ts'
import { csvType, xlsxType } from '../../../contract/core/file.ts'
import { download } from '../service/api.ts'
import { aboutTime, exportInBackground } from '../service/background.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ActionButton } from '../parts/buttons.tsx'
import { AreaField } from '../form/fields.tsx'
import { FormScope, showFaults, useFormCheck } from '../form/form-field.tsx'
import { notify } from '../service/notice.tsx'
import { ScopedForm } from '../form/scoped-form.tsx'
import { useGuardedDialog } from '../screen/use-guarded-dialog.ts'
import { usePermission } from '../service/rights.ts'
import { createStore, useStore } from '../service/store.ts'
import { ApiError } from '../service/wire.ts'
import { figure } from '../service/figure.ts'

interface Waiting {
  id: number
  call: Call
  input: Record<string, unknown>
  /** What the service said when it asked for a reason. */
  why: string
  /** Whether the list shows more than the person may take out. */
  isPart: boolean
  options: ExportOptions
}

interface ExportOptions {
  onDone?: OnDone | undefined
  /** The kind of file, where a list is not wanted as a workbook. */
  accept?: string
  rows?: ExportRows | undefined
}

/** How many rows there are about, as the list tells; `isCapped` where there are more. */
interface ExportRows {
  total: number
  isCapped: boolean
}

/** What a list as a screen holds it tells about itself. */
interface ExportedList extends ExportRows {
  query: Record<string, unknown>
  isLoading: boolean
  isFormer: boolean
  failed: boolean
}

/** How many rows of a list are taken out; nothing while its number is not known, or is still that of former filters. */
export const rowsOf = ({ isLoading, isFormer, failed, total, isCapped }: ExportedList): ExportRows | undefined =>
  isLoading || isFormer || failed ? undefined : { total, isCapped }

/** Told the name of a file that has been fetched. */
type OnDone = (name: string) => void

const reasonNeeded = {
  all: 'export-reason-needed',
  part: 'export-part-reason-needed',
} as const satisfies Record<string, FailureName>

const waiting = createStore<Waiting | undefined>(undefined)
let nextId = 1

/**
 * Fetches the file of a list; where the service wants to know why so many rows are taken out, the person is asked and
 * it is fetched again.
 */
export async function exportFile<C extends Call>(call: C, input: Input<C>, options: ExportOptions = {}): Promise<void> {
  try {
    const name = await download(call, input, { quiet: true, ...accepting(options) })
    options.onDone?.(name)
  } catch (error) {
    if (error instanceof ApiError && (error.reason === reasonNeeded.all || error.reason === reasonNeeded.part))
      waiting.set({
        id: nextId++,
        call,
        input: input as Record<string, unknown>,
        why: error.message,
        isPart: error.reason === reasonNeeded.part,
        options,
      })
    else if (error instanceof ApiError && error.kind !== 'expired')
      notify(error.kind === 'refused' ? 'warning' : 'error', error.message)
  }
}

const accepting = ({ accept }: ExportOptions) => (accept ? { accept } : {})

const kinds = [
  { key: xlsxType, label: 'Excel 工作簿（.xlsx）' },
  { key: csvType, label: 'CSV 文本（.csv），供其他程序读取' },
]

/**
 * 导出, for a list's tools: everything that fits its filters, as a workbook or, from the menu beside it, as text. Not
 * there for those who lack the right.
 */
export function ExportButton<C extends Call>({
  to,
  list,
  input = (list?.query ?? {}) as Input<C>,
  children = '导出',
}: {
  to: C
  /** The list that is taken out: its filters, and how many rows it has. */
  list?: ExportedList
  /** What is taken out, where that is no list or not what its filters say. */
  input?: Input<C>
  children?: string
}) {
  const may = usePermission()
  const rows = list && rowsOf(list)
  if (!may(to)) return null
  return (
    <Space.Compact>
      <ActionButton to={to} icon={<DownloadOutlined />} onClick={() => exportFile(to, input, { rows })}>
        {children}
      </ActionButton>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{ items: kinds, onClick: ({ key: accept }) => void exportFile(to, input, { accept, rows }) }}
      >
        <Button icon={<DownOutlined />} aria-label="文件格式" title="文件格式" authority-type={to.permit} />
      </Dropdown>
    </Space.Compact>
  )
}

/** Rows that a usual export writes in a second; what the estimate before one is made of. */
const rowsPerSecond = 1500

/** @param isPart whether less leaves than the list shows */
const sizeText = ({ total, isCapped }: ExportRows, isPart: boolean): string =>
  isPart
    ? `列表${isCapped ? '超过' : '共'} ${figure(total)} 行，只导出您有导出权限的部分。`
    : isCapped
      ? `超过 ${figure(total)} 行，行数越多用时越长。`
      : `共约 ${figure(total)} 行，${aboutTime(total / rowsPerSecond)}。`

/** The question why; stands once in the shell. */
export function ExportDialog() {
  const now = useStore(waiting)
  return now ? <ReasonDialog key={now.id} {...now} /> : null
}

function ReasonDialog({ id, call, input, why, isPart, options }: Waiting) {
  const { rows } = options
  const [form] = Form.useForm<{ reason: string }>()
  const [isSending, setSending] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const recheck = useFormCheck(form)
  const held = useGuardedDialog(Boolean(Form.useWatch('reason', form)))
  const submit = async () => {
    try {
      await form.validateFields()
    } catch {
      return
    }
    setSending(true)
    try {
      const reason = form.getFieldValue('reason') as string
      await exportInBackground(
        call,
        { ...input, reason },
        // how many of them are the person's to take out is not known before
        { ...options, rows: rows && !rows.isCapped && !isPart ? rows.total : undefined },
      )
      setOpen(false)
    } catch (error) {
      // where the service was not reached, the reason stays for another try
      const isPlaced = error instanceof ApiError && showFaults(form, error.faults)
      if (error instanceof ApiError && error.kind === 'refused' && !isPlaced) setOpen(false)
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog
      open={isOpen}
      title={call.summary}
      okText="导出"
      cancelText="取消"
      confirmLoading={isSending}
      to={call}
      onOk={() => void submit()}
      onCancel={() => setOpen(false)}
      afterOpenChange={(isShown) =>
        isShown && document.querySelector<HTMLElement>('.ant-modal .form-grid textarea')?.focus()
      }
      afterClose={() => waiting.get()?.id === id && waiting.set(undefined)}
      width={460}
      destroyOnHidden
      {...held}
    >
      <p className="ask-question">{why}。</p>
      <p className="ask-skipped">
        {rows && rows.total > 0 ? sizeText(rows, isPart) : isPart && '只导出您有导出权限的部分。'}
        在后台生成，完成后自动下载；期间可继续其他工作，在右上角“后台任务”中查看进度或取消。
      </p>
      <ScopedForm form={form} layout="vertical" onValuesChange={recheck} validateTrigger="onBlur" className="form-grid">
        <FormScope schema={call.input}>
          <AreaField name="reason" required placeholder="例如：报送学校年度统计" />
        </FormScope>
      </ScopedForm>
    </Dialog>
  )
}

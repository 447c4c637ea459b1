import { Drawer, Progress } from 'antd'
import { figure, fileSizeText } from '../../core/service/figure.ts'
import { useState } from 'react'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { printBatchStatus } from '../../../contract/core/codes/outcomes.ts'
import {
  batchDays,
  batchFormats,
  transcriptBatchApi,
  type TranscriptBatch,
} from '../../../contract/outcomes/transcripts/batches.calls.ts'
import type { Output } from '../../../contract/core/call.ts'
import { exportReasonFrom } from '../../../contract/core/exports.ts'
import { download } from '../../core/service/api.ts'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { AreaField, SelectField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** Whose transcripts are meant: ticked students, or all that filters find. */
export interface BatchOptions {
  filter: Record<string, unknown>
  /** How many they are. */
  count: number
  /** `所选 3 名学生`. */
  whose: string
  title?: string
}

const formats = choicesOf(Object.entries(batchFormats))
const langs = [
  { value: 'zh', label: '中文' },
  { value: 'en', label: '英文' },
]

/** Asks how the transcripts are wanted, then prints them in the background. */
export function BatchDialog({
  filter,
  count,
  whose,
  title,
  onClose,
  onStarted,
}: BatchOptions & { onClose: () => void; onStarted: () => void }) {
  return (
    <DialogForm
      title="批量打印成绩单"
      call={transcriptBatchApi.start}
      initial={{ format: 'pdf', lang: 'zh', ...(title && { title }) }}
      input={({ startTime, endTime, title: named, format, lang, reason }) =>
        ({
          ...filter,
          format,
          lang,
          ...(named ? { title: named } : {}),
          ...(reason ? { reason } : {}),
          ...(startTime && endTime ? { startTime, endTime } : {}),
        }) as never
      }
      submitText="开始打印"
      doneText="已开始打印，可离开本页"
      onClose={onClose}
      onDone={onStarted}
    >
      <p className="dialog-lead">打印{whose}的成绩单。每份成绩单有各自的编号与数字签名，打印在后台进行。</p>
      <TextField name="title" placeholder="例如：计算机 2401 班成绩单" />
      <SelectField name="format" options={formats} open />
      <SelectField name="lang" options={langs} open />
      <DateTimeRangeField
        names={['startTime', 'endTime']}
        label="起止日期"
        span={24}
        by="day"
        edges
        help="只打印此时段内的活动；不选则为全部"
      />
      {count > exportReasonFrom && (
        <AreaField
          name="reason"
          rows={1}
          required
          placeholder="例如：报送学校年度评优材料"
          help={`超过 ${exportReasonFrom} 名学生时须填写，记入操作日志`}
        />
      )}
    </DialogForm>
  )
}

const tones: Record<TranscriptBatch['tbStatus'], ChipTone> = {
  [printBatchStatus.waiting]: 'draft',
  [printBatchStatus.running]: 'publicity',
  [printBatchStatus.done]: 'finished',
  [printBatchStatus.failed]: 'refused',
  [printBatchStatus.cancelled]: 'draft',
  [printBatchStatus.removed]: 'draft',
}
type Batches = Output<typeof transcriptBatchApi.list>
const isUnderWay = (batches: Batches) =>
  batches.records.some(({ tbStatus }) => tbStatus === printBatchStatus.waiting || tbStatus === printBatchStatus.running)

/** The person's batches: how far each is, and its file. */
export function BatchDrawer({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  const { data } = useCall(
    transcriptBatchApi.list,
    { pageSize: 50 },
    { refetchInterval: (answer) => (answer && isUnderWay(answer as Batches) ? 1000 : false) },
  )
  return (
    <Drawer
      open={isOpen}
      size={isPhone ? '100%' : 560}
      title="打印任务"
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
    >
      <p className="batch-note">文件保留 {batchDays} 天，只有您本人可以下载。</p>
      {!data && <ReadSkeleton />}
      {data?.total === 0 && <EmptyState text="暂无打印任务" hint="在名单中选择班级或学生后点“批量打印”。" />}
      <ul className="batches">
        {data?.records.map((batch) => (
          <BatchLine key={batch.tbId} batch={batch} />
        ))}
      </ul>
    </Drawer>
  )
}

function BatchLine({
  batch: {
    tbId,
    tbTitle,
    tbFormat,
    tbStatus,
    progress,
    total,
    doneCount,
    faultCount,
    faults,
    fileSize,
    createTime,
    can,
  },
}: {
  batch: TranscriptBatch
}) {
  const cancel = useSend(transcriptBatchApi.cancel)
  const remove = useSend(transcriptBatchApi.remove)
  const isOpen = tbStatus === printBatchStatus.waiting || tbStatus === printBatchStatus.running
  return (
    <li>
      <div className="batch-head">
        <b title={tbTitle}>{tbTitle}</b>
        <StatusChip tone={tones[tbStatus]}>{labelIn(printBatchStatus, tbStatus)}</StatusChip>
      </div>
      <p>
        {createTime.slice(0, 16)} · {tbFormat.toUpperCase()} ·{' '}
        {isOpen ? `${figure(doneCount)} / ${figure(total)} 人` : `${figure(doneCount)} 人`}
        {fileSize !== null && tbStatus === printBatchStatus.done && ` · ${fileSizeText(fileSize)}`}
      </p>
      {isOpen && <Progress percent={progress} aria-label={`${tbTitle}的进度`} />}
      {faultCount > 0 && (
        <details>
          <summary>
            {tbStatus === printBatchStatus.failed ? '未能完成的原因' : `${figure(faultCount)} 人未能打印`}
          </summary>
          <ul>
            {faults.map(({ name, msg }, at) => (
              <li key={at}>
                {name && `${name}：`}
                {msg}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="batch-acts">
        {can.includes('download') && (
          <LockButton
            type="primary"
            size="small"
            authority-type={transcriptBatchApi.download.permit}
            onClick={() => void download(transcriptBatchApi.download, { tbId }).catch(() => undefined)}
          >
            下载
          </LockButton>
        )}
        {can.includes('cancel') && (
          <LockButton
            size="small"
            loading={cancel.isSending}
            authority-type={transcriptBatchApi.cancel.permit}
            onClick={() => void cancel.send({ tbId }).catch(() => undefined)}
          >
            取消
          </LockButton>
        )}
        {can.includes('remove') && (
          <LockButton
            size="small"
            loading={remove.isSending}
            authority-type={transcriptBatchApi.remove.permit}
            onClick={() => void remove.send({ tbId }).catch(() => undefined)}
          >
            删除文件
          </LockButton>
        )}
      </div>
    </li>
  )
}

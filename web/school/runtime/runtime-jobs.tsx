import { Segmented } from 'antd'
import { useState } from 'react'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import type { Output } from '../../../contract/core/call.ts'
import { runtimeApi } from '../../../contract/school/runtime/runtime.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { notify } from '../../core/service/notice.tsx'
import { figure } from '../../core/service/figure.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { Section, SmallTable, refreshMs } from './runtime-parts.tsx'

type Status = Output<typeof runtimeApi.jobs>['records'][number]['jobStatus']

const tones: Record<Status, ChipTone> = {
  [jobStatus.waiting]: 'draft',
  [jobStatus.running]: 'publicity',
  [jobStatus.done]: 'finished',
  [jobStatus.failed]: 'refused',
  [jobStatus.cancelled]: 'draft',
}
const shown = 50

/** What the program does by itself: what failed for good comes first and can be begun anew. */
export function RuntimeJobs() {
  const [status, setStatus] = useState<Status | 'all'>('all')
  const { data } = useCall(
    runtimeApi.jobs,
    { pageSize: shown, ...(status !== 'all' && { jobStatus: status }) },
    { refetchInterval: () => refreshMs, keepPrevious: true },
  )
  const retry = useSend(runtimeApi.retry)
  const again = (jobId: string) =>
    retry
      .send({ jobId })
      .then(() => notify('success', '已重新开始，结果稍后显示'))
      .catch(() => undefined)
  return (
    <Section
      title="任务"
      note={data ? `共 ${figure(data.total)} 个${data.total > shown ? `，显示前 ${shown} 个` : ''}` : ''}
      tools={
        <Segmented
          size="small"
          aria-label="任务状态"
          value={status}
          onChange={setStatus}
          options={[
            { value: 'all' as const, label: '全部' },
            ...[jobStatus.failed, jobStatus.running, jobStatus.waiting].map((value) => ({
              value,
              label: labelIn(jobStatus, value),
            })),
          ]}
        />
      }
    >
      <SmallTable
        heads={['任务', '范围', '状态', '尝试', '下次或最近运行', '最近执行的进程', '最近的错误', '操作']}
        numbers={[3]}
        empty="没有这样的任务"
        rows={(data?.records ?? []).map((job) => [
          <span key="name" title={job.jobKind}>
            {job.kindName}
          </span>,
          job.isCommon ? '整套安装' : '本校',
          <StatusChip key="status" tone={tones[job.jobStatus]}>
            {labelIn(jobStatus, job.jobStatus)}
          </StatusChip>,
          job.attempts,
          job.endTime ?? job.runAt,
          <span key="runner" title="主机:进程号">
            {job.runner}
          </span>,
          job.error && (
            <span key="error" className="runtime-error" title={job.error}>
              {job.error}
            </span>
          ),
          job.can.includes('retry') && (
            <ActionButton
              key="retry"
              to={runtimeApi.retry}
              size="small"
              aria-label={`重试 ${job.kindName}`}
              onClick={() => again(job.jobId)}
            >
              重试
            </ActionButton>
          ),
        ])}
      />
    </Section>
  )
}

import CloudSyncOutlined from '@ant-design/icons/CloudSyncOutlined'
import { Badge, Button, Drawer, Popconfirm, Progress } from 'antd'
import { useEffect, useRef } from 'react'
import { quoted } from '../../contract/core/quotes.ts'
import { labelIn } from '../../contract/core/codes/code-list.ts'
import { backgroundKind, backgroundStatus } from '../../contract/core/codes/platform.ts'
import { backgroundApi, fileDays, type BackgroundTask } from '../../contract/platform/background/background.calls.ts'
import type { Output } from '../../contract/core/call.ts'
import { EmptyState } from '../core/parts/empty-state.tsx'
import { StatusChip, type ChipTone } from '../core/parts/status-chip.tsx'
import { useIsPhone } from '../core/parts/use-width.ts'
import { download } from '../core/service/api.ts'
import {
  aboutTime,
  followTask,
  openTasks,
  setTasksOpen,
  takeFollowed,
  useBegun,
  useTasksOpen,
} from '../core/service/background.ts'
import { notify } from '../core/service/notice.tsx'
import { refreshAll, useCall, useSend } from '../core/service/use-call.ts'
import './background-tasks.css'
import { figure, fileSizeText } from '../core/service/figure.ts'
import { ReadSkeleton } from '../core/screen/read-skeleton.tsx'

const tones: Record<BackgroundTask['btStatus'], ChipTone> = {
  [backgroundStatus.waiting]: 'draft',
  [backgroundStatus.running]: 'publicity',
  [backgroundStatus.done]: 'finished',
  [backgroundStatus.failed]: 'refused',
  [backgroundStatus.cancelled]: 'draft',
  [backgroundStatus.removed]: 'draft',
}
const isOpen = ({ btStatus }: BackgroundTask) =>
  btStatus === backgroundStatus.waiting || btStatus === backgroundStatus.running
const isAnyOpen = (answer: unknown) => (answer as Output<typeof backgroundApi.list>).records.some(isOpen)
const latest = { pageSize: 50 }
/** Milliseconds between two looks at what goes on. */
const pause = 1000

/**
 * The way to what goes on in the background: actions on all, long exports, imports and prints. Says when one has come
 * to its end, and fetches the file of an export that this page began.
 */
export function BackgroundTasks() {
  const { data } = useCall(backgroundApi.list, latest, {
    refetchInterval: (answer) => (answer && isAnyOpen(answer) ? pause : false),
  })
  const isShown = useTasksOpen()
  const tasks = data?.records ?? []
  useEnds(tasks)
  const open = tasks.filter(isOpen).length
  return (
    <>
      {(tasks.length > 0 || isShown) && (
        <button
          type="button"
          className="icon-button"
          aria-haspopup="dialog"
          aria-label={open > 0 ? `后台任务，${open} 项正在进行` : '后台任务'}
          title="后台任务"
          onClick={openTasks}
        >
          <Badge count={open} size="small">
            <CloudSyncOutlined />
          </Badge>
        </button>
      )}
      {isShown && <TaskDrawer tasks={data?.records} />}
    </>
  )
}

/** Tells of tasks that have ended since the last look, and of what this page began, once each. */
function useEnds(tasks: readonly BackgroundTask[]): void {
  const begun = useBegun()
  const underWay = useRef(new Set<string>())
  useEffect(() => {
    for (const task of tasks) {
      if (isOpen(task)) {
        underWay.current.add(task.btId)
        continue
      }
      const onFile = takeFollowed(task.btId)
      const hasEnded = underWay.current.delete(task.btId) || onFile !== undefined
      if (task.btKind === backgroundKind.export ? onFile : hasEnded) tellEnd(task, onFile)
    }
  }, [tasks, begun])
}

function tellEnd(task: BackgroundTask, onFile: ((name: string) => void) | undefined): void {
  const { btId, btKind, btTitle, btStatus, doneCount, refusedCount, fault } = task
  // whatever its end, some of the records may have been changed by it
  if (btKind !== backgroundKind.export) void refreshAll()
  const look = { label: '查看', run: openTasks }
  const left = refusedCount > 0 ? `，被拒绝 ${figure(refusedCount)} 条` : ''
  if (btStatus === backgroundStatus.cancelled) {
    if (btKind === backgroundKind.act)
      notify('info', `${quoted(btTitle)}已取消：成功 ${figure(doneCount)} 条${left}，其余未处理`, look)
    return
  }
  if (btStatus === backgroundStatus.failed) return notify('warning', `${quoted(btTitle)}未能完成：${fault}`, look)
  if (btKind === backgroundKind.export) {
    download(backgroundApi.download, { btId }, { blocks: false }).then(onFile, () => undefined)
    return
  }
  if (btKind === backgroundKind.act)
    notify(
      refusedCount > 0 ? 'warning' : 'success',
      `${quoted(btTitle)}已完成：成功 ${figure(doneCount)} 条${left}`,
      look,
    )
}

function TaskDrawer({ tasks }: { tasks: readonly BackgroundTask[] | undefined }) {
  const isPhone = useIsPhone()
  return (
    <Drawer open size={isPhone ? '100%' : 560} title="后台任务" onClose={() => setTasksOpen(false)}>
      <p className="task-note">只有您本人可以看到；导出的文件保留 {fileDays} 天。</p>
      {!tasks && <ReadSkeleton />}
      {tasks?.length === 0 && (
        <EmptyState text="暂无后台任务" hint="批量处理全部记录、导出较多数据、导入与批量打印的进度在这里查看。" />
      )}
      <ul className="tasks">
        {tasks?.map((task) => (
          <TaskLine key={task.btId} task={task} />
        ))}
      </ul>
    </Drawer>
  )
}

function TaskLine({ task }: { task: BackgroundTask }) {
  const { btId, btTitle, btKind, btStatus, progress, fault, createTime, can } = task
  const cancel = useSend(backgroundApi.cancel)
  const remove = useSend(backgroundApi.remove)
  const undo = useSend(backgroundApi.undo)
  return (
    <li>
      <div className="task-head">
        <b title={btTitle}>{btTitle}</b>
        <StatusChip tone={tones[btStatus]}>{labelIn(backgroundStatus, btStatus)}</StatusChip>
      </div>
      <p>{[createTime.slice(0, 16), labelIn(backgroundKind, btKind), ...factsOf(task)].filter(Boolean).join(' · ')}</p>
      {isOpen(task) && progress !== null && <Progress percent={progress} aria-label={`${btTitle}的进度`} />}
      {fault && <p className="task-fault">{fault}</p>}
      <div className="task-acts">
        {can.includes('download') && (
          <Button
            type="primary"
            size="small"
            onClick={() => void download(backgroundApi.download, { btId }).catch(() => undefined)}
          >
            下载
          </Button>
        )}
        {can.includes('results') && (
          <Button size="small" onClick={() => void download(backgroundApi.results, { btId }).catch(() => undefined)}>
            下载结果
          </Button>
        )}
        {can.includes('undo') && (
          <Popconfirm
            title={`确认撤销已处理的 ${figure(task.doneCount)} 条？`}
            description="在后台逐条撤销；之后已有变化的不能撤销，原因列在结果中。"
            okText="撤销"
            cancelText="取消"
            onConfirm={() =>
              void undo.send({ btId }, { blocks: false }).then(
                (begun) => followTask(begun.btId),
                () => undefined,
              )
            }
          >
            <Button size="small" loading={undo.isSending}>
              撤销
            </Button>
          </Popconfirm>
        )}
        {can.includes('cancel') && (
          <Popconfirm
            title="确认取消？"
            description={
              btKind === backgroundKind.act ? '已处理的不会因此恢复，其余的不再处理。' : '已生成的部分不保留。'
            }
            okText="取消任务"
            cancelText="继续进行"
            onConfirm={() => void cancel.send({ btId }, { blocks: false }).catch(() => undefined)}
          >
            <Button size="small" loading={cancel.isSending}>
              取消
            </Button>
          </Popconfirm>
        )}
        {can.includes('remove') && (
          <Button
            size="small"
            loading={remove.isSending}
            onClick={() => void remove.send({ btId }, { blocks: false }).catch(() => undefined)}
          >
            删除文件
          </Button>
        )}
      </div>
    </li>
  )
}

/** What is told of a task beside its state: how much is done, and for how long it will go on. */
function factsOf(task: BackgroundTask): string[] {
  const { btKind, btStatus, total, doneCount, refusedCount, secondsLeft, fileSize } = task
  const unit = btKind === backgroundKind.act ? '条' : btKind === backgroundKind.print ? '人' : '行'
  const of = total === null ? '' : ` / ${figure(total)}`
  if (isOpen(task))
    return [
      btKind === backgroundKind.import ? '' : `${figure(doneCount + refusedCount)}${of} ${unit}`,
      secondsLeft === null ? '' : `${aboutTime(secondsLeft)}后完成`,
    ]
  if (btKind === backgroundKind.act)
    return [
      `成功 ${figure(doneCount)} 条`,
      refusedCount > 0 ? `被拒绝 ${figure(refusedCount)} 条` : '',
      restOf(task) > 0 ? `未处理 ${figure(restOf(task))} 条` : '',
    ]
  return [
    btStatus === backgroundStatus.done ? `${figure(doneCount)} ${unit}` : '',
    fileSize !== null && btStatus === backgroundStatus.done ? fileSizeText(fileSize) : '',
  ]
}

const restOf = ({ total, doneCount, refusedCount }: BackgroundTask) => (total ?? 0) - doneCount - refusedCount

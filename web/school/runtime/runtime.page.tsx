import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { alarmKind, backupKind, backupStatus, processKind } from '../../../contract/core/codes/platform.ts'
import type { Output } from '../../../contract/core/call.ts'
import { runtimeApi, type Finding } from '../../../contract/school/runtime/runtime.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { download } from '../../core/service/api.ts'
import { figure } from '../../core/service/figure.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { RuntimeJobs } from './runtime-jobs.tsx'
import { Section, SmallTable, refreshMs } from './runtime-parts.tsx'
import './runtime.css'

type Overview = Output<typeof runtimeApi.overview>
type Installation = NonNullable<Overview['installation']>

const words: Record<Finding['state'], [ChipTone, string]> = {
  good: ['finished', '正常'],
  warning: ['waiting', '注意'],
  bad: ['refused', '异常'],
}

/**
 * How the program is doing, by itself every ten seconds: what is there stays on the screen while the next answer comes.
 */
export function RuntimePage() {
  const { data } = useCall(runtimeApi.overview, {}, { refetchInterval: () => refreshMs, keepPrevious: true })
  if (!data)
    return (
      <div className="page">
        <ReadSkeleton title paragraph={{ rows: 10 }} />
      </div>
    )
  const { health, alarms, installation, at } = data
  const worst = (['bad', 'warning', 'good'] as const).find((state) => health.some((one) => one.state === state))!
  const [tone, word] = words[worst]
  return (
    <div className="page runtime">
      <PageHead
        title="运行状态"
        status={<StatusChip tone={tone}>{word}</StatusChip>}
        facts={
          <>
            <span className="figures">{at}</span>，每 10 秒自动更新
            {!installation && '；整套安装的情况由运维人员查看，这里是本校的任务'}
          </>
        }
        tools={
          installation && (
            <ActionButton
              to={runtimeApi.diagnostics}
              icon={<DownloadOutlined />}
              onClick={() => download(runtimeApi.diagnostics, {}).catch(() => undefined)}
            >
              下载诊断包
            </ActionButton>
          )
        }
      />
      <ul className="runtime-health" aria-label="健康检查">
        {health.map(({ name, state, text }) => (
          <li key={name} className="card">
            <span>
              {name}
              <StatusChip tone={words[state][0]}>{words[state][1]}</StatusChip>
            </span>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {alarms.length > 0 && (
        <Section title="告警" note="出现与恢复时各发一次站内消息">
          <SmallTable
            heads={['事项', '说明', '出现时间']}
            rows={alarms.map(({ alKind, alText, raiseTime }) => [labelIn(alarmKind, alKind), alText, raiseTime])}
          />
        </Section>
      )}
      <RuntimeJobs />
      {installation && <InstallationParts {...installation} />}
    </div>
  )
}

function InstallationParts({ versions, processes, slow, storage, backups }: Installation) {
  return (
    <>
      <Section title="进程" note="多台机器、多个进程使用同一数据库时都在这里">
        <SmallTable
          heads={['实例', '类别', '状态', '版本', '启动时间', '内存', '事件循环延迟', '连接（忙／等待）']}
          rows={processes.map((one) => [
            one.instance,
            labelIn(processKind, one.pbKind),
            <StatusChip key="state" tone={one.isAlive ? 'finished' : 'refused'}>
              {one.isAlive ? '运行中' : `${one.beatTime} 后没有音讯`}
            </StatusChip>,
            one.programVersion,
            one.startTime,
            sizeText(one.memory),
            `${figure(one.loopDelay)} 毫秒`,
            `${one.poolBusy}／${one.poolWaiting}`,
          ])}
        />
      </Section>
      <div className="runtime-columns">
        <Section
          title="存储"
          note={`数据库 ${sizeText(storage.database)}，文件 ${figure(storage.files)} 个 ${sizeText(storage.fileBytes)}${
            storage.diskFree === null
              ? ''
              : `，磁盘余 ${sizeText(storage.diskFree)}（共 ${sizeText(storage.diskSize ?? 0)}）`
          }`}
        >
          <SmallTable
            heads={['表', '大小', '约有行数']}
            numbers={[1, 2]}
            rows={storage.tables.map(({ name, bytes, rows }) => [name, sizeText(bytes), figure(rows)])}
          />
        </Section>
        <div>
          <Section title="版本">
            <SmallTable
              heads={['程序', '表结构', 'PostgreSQL', 'Node.js']}
              rows={[[versions.program, versions.schema, versions.postgres, versions.node]]}
            />
          </Section>
          <Section title="备份与恢复演练">
            <SmallTable
              heads={['类别', '结果', '开始时间', '大小', '说明']}
              empty="还没有备份记录，请见运维手册“备份与恢复”"
              rows={backups.map((one) => [
                labelIn(backupKind, one.brKind),
                <StatusChip key="state" tone={backupTones[one.brStatus]}>
                  {labelIn(backupStatus, one.brStatus)}
                </StatusChip>,
                one.startTime,
                one.size === null ? '' : sizeText(one.size),
                one.error || one.backupName,
              ])}
            />
          </Section>
        </div>
      </div>
      <Section title="慢语句" note="近七天，最慢的在前；语句中没有数值">
        <SmallTable
          heads={['语句', '接口', '次数', '平均', '最慢', '最近']}
          numbers={[2, 3, 4]}
          empty="近七天没有慢语句"
          rows={slow.map((one) => [
            <code key="text" title={one.text}>
              {one.text}
            </code>,
            one.call || '后台任务',
            figure(one.count),
            `${figure(Math.round(one.meanMs))} 毫秒`,
            `${figure(one.maxMs)} 毫秒`,
            one.lastTime,
          ])}
        />
      </Section>
    </>
  )
}

const backupTones: Record<Installation['backups'][number]['brStatus'], ChipTone> = {
  [backupStatus.running]: 'publicity',
  [backupStatus.done]: 'finished',
  [backupStatus.failed]: 'refused',
}

/** Bytes in the unit in which they are read best. */
function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = bytes > 0 ? Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024))) : 0
  const value = bytes / 1024 ** step
  return `${value.toFixed(step > 0 && value < 100 ? 1 : 0)} ${units[step]}`
}

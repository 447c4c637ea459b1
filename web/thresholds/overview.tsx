import { Skeleton } from 'antd'
import type { Output } from '../../contract/core/call.ts'
import { thresholdApi } from '../../contract/thresholds/thresholds.calls.ts'
import { Chart } from '../core/chart.tsx'
import { labelOf } from '../core/dictionary.ts'
import { useCall } from '../core/use-call.ts'

type Overview = Output<typeof thresholdApi.overview>
type Group = Overview['colleges'][number]
const levels = ['3', '2', '1'] as const
const definition = '统计在读与延期学生。等级取各指标中最严重的一项：检查点所在学期结束后，低于相应警戒线即预警；每晚计算一次，基准值变更后立即重算。'

interface OverviewProps {
  filter: { collegeId?: string | undefined; majorId?: string | undefined; classId?: string | undefined; grade?: string | undefined }
  level: string | undefined
  onLevel: (level: string | undefined) => void
  onModule: (lsId: string) => void
}

/** How many are at which level, where, and of which module most are short. A card narrows the list to its level. */
export function OverviewCards({ filter, level, onLevel, onModule }: OverviewProps) {
  const { data } = useCall(thresholdApi.overview, filter, { keep: true })
  if (!data) return <div className="card threshold-cards"><Skeleton active paragraph={{ rows: 2 }} /></div>
  const countOf = (of: string): number => (of === '0' ? data.total - data.level1 - data.level2 - data.level3 : data[`level${of}` as 'level1'])
  return (
    <>
      <div className="threshold-cards">
        {[...levels, '0'].map((one) => (
          <button key={one} type="button" className={`card threshold-card level-${one}`} aria-pressed={level === one} onClick={() => onLevel(level === one ? undefined : one)}>
            <span>{labelOf('warn_level', one)}</span>
            <b className="figures">{countOf(one).toLocaleString('zh-CN')}</b>
            <small>{data.total > 0 ? `${((countOf(one) / data.total) * 100).toFixed(1)}%` : '—'}</small>
          </button>
        ))}
      </div>
      <div className="threshold-charts">
        <div className="card"><Levels title="各学院预警人数" groups={data.colleges} /></div>
        <div className="card"><Levels title="各年级预警人数" groups={data.grades} /></div>
        <div className="card"><Levels title="各学期预警人数" groups={data.terms} counts="每学期末的预警人数，本学期为最近一次计算的结果；自启用预警的学期起。学生按当时所在的学院与班级计。" all /></div>
        <div className="card threshold-modules">
          <h3>模块缺口</h3>
          <p>对照下一个检查点，还差学时的人数；点击查看名单。</p>
          {data.modules.length === 0 ? <p>没有缺口</p> : (
            <ul>
              {data.modules.map(({ lsId, name, count }) => (
                <li key={lsId}>
                  <button type="button" onClick={() => onModule(lsId)}><span>{name}</span><i aria-hidden="true"><b style={{ width: `${(count / Math.max(1, data.total)) * 100}%` }} /></i><em className="figures">{count.toLocaleString('zh-CN')} 人</em></button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </>
  )
}

const of = (group: Group, level: (typeof levels)[number]): number => group[`level${level}`]

/** Stacked bars, the worst first. */
function Levels({ title, groups, counts = definition, all = false }: { title: string; groups: readonly Group[]; counts?: string; all?: boolean }) {
  const warned = groups.filter((group) => all || levels.some((level) => of(group, level) > 0))
  return (
    <Chart
      title={title}
      definition={counts}
      label={`${title}：${warned.map((group) => `${group.name} ${levels.map((level) => `${labelOf('warn_level', level)} ${of(group, level)} 人`).join('、')}`).join('；')}`}
      isEmpty={warned.length === 0}
      empty={all ? { text: '暂无数据', hint: '每次计算后记下本学期的预警人数，逐学期累积。' } : { text: '没有预警的学生' }}
      height={200}
      option={({ text, soft, line }) => ({
        color: ['#cf3a3a', '#b86e00', '#d9b44a'],
        grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
        legend: { top: 0, textStyle: { color: text } },
        tooltip: { trigger: 'axis' },
        xAxis: { type: 'category', data: warned.map(({ name }) => name), axisLabel: { color: soft, interval: 0, width: 64, overflow: 'break', lineHeight: 14 }, axisLine: { lineStyle: { color: line } } },
        yAxis: { type: 'value', minInterval: 1, axisLabel: { color: soft }, splitLine: { lineStyle: { color: line } } },
        series: levels.map((level) => ({ name: labelOf('warn_level', level), type: 'bar', stack: 'all', barMaxWidth: 32, data: warned.map((group) => of(group, level)) })),
      })}
      table={{ heads: ['', ...levels.map((level) => labelOf('warn_level', level)), '学生'], rows: groups.map((group) => [group.name, ...levels.map((level) => of(group, level)), group.total]) }}
    />
  )
}

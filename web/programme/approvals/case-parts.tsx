import { quoted } from '../../../contract/core/quotes.ts'
import { roomFor } from '../../../contract/programme/lessons/team-fields.ts'
import type { lessonCaseApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import type { Output } from '../../../contract/core/call.ts'
import { figure } from '../../core/service/figure.ts'

type Case = Output<typeof lessonCaseApi.lessonResult>

/** How many got which result, and what that comes to. */
export function ResultTable({ results }: { results: Case['results'] }) {
  if (results.length === 0) return <p className="nothing">没有已录取的参与人员</p>
  const people = results.reduce((sum, { count }) => sum + count, 0)
  return (
    <table className="small-table">
      <thead>
        <tr>
          <th>结果</th>
          <th className="figures">人数</th>
          <th className="figures">合计学时</th>
          <th className="figures">合计学分</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ awardName, count, hours, credit }) => (
          <tr key={awardName}>
            <td>{awardName}</td>
            <td className="figures">{figure(count)}</td>
            <td className="figures">{figure(Number(hours))}</td>
            <td className="figures">{figure(Number(credit))}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>合计</td>
          <td className="figures">{figure(people)}</td>
          <td className="figures">{total(results.map(({ hours }) => hours))}</td>
          <td className="figures">{total(results.map(({ credit }) => credit))}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** The sum of decimal texts of at most two places, without floats, as people read it. */
export const total = (amounts: readonly string[]): string => {
  const hundredths = amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0)
  return figure(hundredths / 100)
}

/** From how long it lasts to what it gives: the calculation a reviewer would otherwise do by hand. */
export function HoursCalculation({ lesson, results }: { lesson: Case['lesson']; results: Case['results'] }) {
  const { sessions, startTime, endTime, liHours, liCredit, liPoints, lsName, liLevelName, atName } = lesson
  const counted = sessions.length > 0 ? sessions : [{ startTime, endTime }]
  const minutes = counted.reduce(
    (sum, one) =>
      sum +
      (Date.parse(`${one.endTime.replace(' ', 'T')}Z`) - Date.parse(`${one.startTime.replace(' ', 'T')}Z`)) / 60_000,
    0,
  )
  const duration = Math.round(minutes / 6) / 10
  return (
    <ol className="reckoning">
      <li>
        <span>活动时长</span>
        <b>{duration} 小时</b>
        <small>{counted.length > 1 ? `${counted.length} 场合计` : '一场'}</small>
      </li>
      <li>
        <span>认定学时</span>
        <b className={Number(liHours) > duration ? 'hint-warning' : ''}>{liHours} 学时</b>
        <small>
          {lsName} · {liLevelName}
        </small>
      </li>
      <li>
        <span>学分与积分</span>
        <b>
          {liCredit} 学分{liPoints !== '0' && ` · ${liPoints} 积分`}
        </b>
        <small>{atName ? `获奖者另加${quoted(atName)}` : '不设奖项'}</small>
      </li>
      <li>
        <span>{results.length > 0 ? '实际发放' : '最多发放'}</span>
        <b>
          {results.length > 0
            ? total(results.map(({ hours }) => hours))
            : total([String(Number(liHours) * roomFor(lesson))])}{' '}
          学时
        </b>
        <small>
          {results.length > 0
            ? `${figure(results.reduce((sum, { count }) => sum + count, 0))} 人`
            : `按名额 ${figure(roomFor(lesson))} 人`}
        </small>
      </li>
    </ol>
  )
}

/** How the principal's earlier courses went. */
export function HistoryFacts({
  name,
  history: { lessons, passRate, signRate },
}: {
  name: string
  history: Case['history']
}) {
  if (lessons === 0 && passRate === null) return <p className="nothing">{name}此前没有结束的课程</p>
  return (
    <ol className="reckoning">
      <li>
        <span>已结束课程</span>
        <b>{figure(lessons)} 门</b>
      </li>
      <li>
        <span>发布审批通过率</span>
        <b>{passRate === null ? '—' : `${passRate}%`}</b>
      </li>
      <li>
        <span>平均签到率</span>
        <b>{signRate === null ? '—' : `${signRate}%`}</b>
      </li>
    </ol>
  )
}

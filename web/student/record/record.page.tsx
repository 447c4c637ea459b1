import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { useSession } from '../../app/session.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Answered, Card, Chip, LinkRow } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { Radar } from '../parts/radar.tsx'
import { amountText } from '../../../contract/core/figure.ts'

const shareOf = (part: string, whole: string): number =>
  Number(whole) > 0 ? Math.min(1, Number(part) / Number(whole)) : Number(part) > 0 ? 1 : 0

/** What the student has against what they need: in all, module by module, and what would fill the gap. */
export function RecordPage() {
  const record = useCall(ownRecordApi.summary, {})
  const isGraduate = useSession()?.profile.isGraduate
  // whoever has graduated earns nothing more
  const prospect = useCall(ownRecordApi.prospect, {}, { enabled: isGraduate === false })
  return (
    <Page title="我的记录" isRoot>
      <Answered of={record}>
        {({ summary, modules, ability, years }) => (
          <>
            <section className="s-total">
              <p>
                <b>{amountText(summary.totalHours)}</b> / {amountText(summary.requiredHours)} 学时
              </p>
              <progress
                max={1}
                value={shareOf(summary.totalHours, summary.requiredHours)}
                aria-label={`总学时 ${amountText(summary.totalHours)}，毕业要求 ${amountText(summary.requiredHours)}`}
              />
              <ul>
                <li>
                  <b>{summary.totalCredit}</b>学分
                </li>
                <li>
                  <b>{amountText(summary.totalPoints)}</b>积分
                </li>
                <li>
                  <b>{summary.volunteerHours}</b>志愿时长
                </li>
              </ul>
              <p className="s-verdict">{summary.pass ? '已达到毕业要求' : '尚未达到毕业要求'}</p>
            </section>
            <Card title="各模块" note="已获得 / 要求">
              <ul className="s-modules">
                {modules.map((module) => (
                  <li key={module.lsId}>
                    <div>
                      <span>{module.lsName}</span>
                      <span>
                        {module.have} / {module.required}
                      </span>
                    </div>
                    <progress
                      max={1}
                      value={shareOf(module.have, module.required)}
                      aria-label={`${module.lsName}：${module.have} 学时，要求 ${module.required}`}
                    />
                    {Number(module.gap) > 0 && module.must && <small>还差 {amountText(module.gap)} 学时</small>}
                  </li>
                ))}
              </ul>
            </Card>
            <Prospect of={prospect} />
            {ability.length >= 3 && (
              <Card
                title="能力"
                note={ability.some(({ avgCollege }) => avgCollege !== null) ? '虚线为学院平均' : undefined}
              >
                <Radar
                  spokes={ability.map(({ name, score, max, avgCollege }) => ({
                    name,
                    score,
                    share: shareOf(score, max),
                    mean: avgCollege === null ? null : shareOf(avgCollege, max),
                  }))}
                />
              </Card>
            )}
            {years.length > 0 && (
              <Card title="各学年">
                <ul className="s-plain">
                  {years.map(({ yearName, hours, gap }) => (
                    <li key={yearName}>
                      <span>{yearName}</span>
                      <span>
                        {amountText(hours)} 学时{Number(gap) > 0 && `，距合格差 ${gap}`}
                      </span>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </>
        )}
      </Answered>
      <nav className="s-card" aria-label="我的记录">
        <LinkRow to="/record/entries" title="学时明细" note="每一笔怎么来的" />
        <LinkRow to="/supplements" title="补录" note="竞赛、证书、志愿等系统外的经历" />
        <LinkRow to="/credibility" title="诚信分" />
        <LinkRow to="/transcript" title="成绩单" note="查看、下载凭证、核验" />
        <LinkRow to="/notices" title="公示与质疑" />
        <LinkRow to="/circles" title="圈子" />
      </nav>
    </Page>
  )
}

function Prospect({ of }: { of: ReturnType<typeof useCall<typeof ownRecordApi.prospect>> }) {
  const { warning, suggestions = [] } = of.data ?? {}
  if (!warning) return null
  const gaps = warning.gaps.filter(({ gap }) => Number(gap) > 0)
  return (
    <Card title="按现在的进度" note={`${warning.calcTime.slice(0, 10)} 计算`}>
      {Number(warning.finalGap) === 0 ? (
        <p>照此进度，毕业时总学时可以达到要求。</p>
      ) : (
        <p>
          照此进度，毕业时还差 <b>{warning.finalGap}</b> 学时。
        </p>
      )}
      {gaps.length > 0 && (
        <>
          <h3>本阶段要求，还差的部分</h3>
          <ul className="s-plain">
            {gaps.map(({ key, name, gap, forecast, required, checkpointTerm }) => (
              <li key={key}>
                <span>{name}</span>
                <span>
                  差 {amountText(gap)}；到第 {checkpointTerm} 学期末应有 {amountText(required)}，预计{' '}
                  {amountText(forecast)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {suggestions.length > 0 && (
        <>
          <h3>这些活动可以补上</h3>
          <ul className="s-list">
            {suggestions.map(({ liId, liName, hours, moduleName, startTime, left }) => (
              <li key={liId}>
                <LinkRow
                  to={`/activities/${liId}`}
                  title={liName}
                  note={`${moduleName}，${amountText(hours)} 学时，${startTime.slice(5, 16)} 开始`}
                  mark={<Chip tone="published">余 {left}</Chip>}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

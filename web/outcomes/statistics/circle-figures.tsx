import { Link } from 'react-router'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { circleParts, livelinessFormula } from '../../../contract/outcomes/statistics/liveliness.ts'
import { Chart } from '../../core/chart/chart.tsx'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useCall } from '../../core/service/use-call.ts'
import { bars, donut } from '../../shared/dashboard/chart-options.ts'
import { groupOf, StatCards, useDrillDown } from '../../shared/dashboard/stat-cards.tsx'

/** The largest of a column first: where a sum comes from. */
const maxRows = (sort: string) => ({ sort, order: 'desc' })
const drillDown = {
  count: {},
  active: { stage: 'active' },
  disabled: { stage: 'disabled' },
  added: { stage: 'added' },
  closed: { stage: 'closed' },
  idle: { stage: 'idle' },
  lessons: maxRows('lessons'),
  perCircle: maxRows('lessons'),
  members: maxRows('members'),
  persons: maxRows('members'),
  teachers: { stage: 'guided' },
}
const students = '/StatisticsAdmin/StudentStatistics'

/** The figures of circles: cards, what they held and who belongs to them, and the rankings. */
export function CircleFigures({
  filters,
  info,
}: {
  filters: Record<string, string>
  info: ReturnType<typeof useCall<typeof circleStatApi.total>>['data']
}) {
  const to = useDrillDown()
  const { data: classes } = useCall(circleStatApi.classes, filters, { keepPrevious: true })
  const { data: members } = useCall(circleStatApi.members, filters, { keepPrevious: true })
  const { data: colleges } = useCall(circleStatApi.colleges, filters, { keepPrevious: true })
  const { data: releases } = useCall(circleStatApi.releases, filters, { keepPrevious: true })
  const { data: lively } = useCall(circleStatApi.ranking, filters, { keepPrevious: true })
  // who belongs to circles stands in the students' list; of circles of one kind, and for those who may not see it, the
  // circles themselves
  const joinRate =
    filters['ciClass'] || filters['ciLevel'] || !isScreenOpen(students)
      ? maxRows('members')
      : `${students}?${new URLSearchParams({ ...(filters['collegeId'] && { collegeId: filters['collegeId'] }), stage: 'circle', show: 'list' })}`
  const circle = ({ ciId, ciName, opens }: { ciId: string; ciName: string; opens: boolean }) =>
    opens ? <Link to={`/communityAdmin/communityList/detail?ciId=${ciId}`}>{ciName}</Link> : ciName
  const of = (kind: 'class' | 'size') => (members ?? []).filter((one) => one.kind === kind)
  const first = (lively ?? []).slice(0, 10)
  return (
    <>
      <StatCards
        cards={info?.cards}
        previous={info?.previous}
        lastYear={info?.lastYear}
        leads={{ ...drillDown, joinRate }}
      />
      <div className="stat-charts">
        <div className="card" data-keep>
          <Chart
            title="各分类活动"
            label="各分类的圈子发布的活动数"
            definition="时间范围内由圈子发布、未取消的课程，按圈子的分类计"
            isLoading={!classes}
            isEmpty={classes?.every(({ num }) => num === 0)}
            option={bars(
              (classes ?? []).map(({ ccName }) => ccName),
              [{ name: '活动（场）', data: (classes ?? []).map(({ num }) => num) }],
              { horizontal: true },
            )}
            table={{
              heads: ['分类', '圈子（个）', '活动（场）', '签到（人次）'],
              rows: (classes ?? []).map(({ ccId, ccName, circles, num, people }) => [
                ccName,
                to(circles, { ciClass: ccId }),
                to(num, { ciClass: ccId, ...maxRows('lessons') }),
                to(people, { ciClass: ccId, ...maxRows('people') }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="各学院活动"
            label="各学院的圈子发布的活动数"
            definition="按圈子的挂靠学院计；没有挂靠学院的归入全校"
            isLoading={!colleges}
            isEmpty={colleges?.every(({ num }) => num === 0)}
            option={bars(
              (colleges ?? []).map(({ name }) => name),
              [{ name: '活动（场）', data: (colleges ?? []).map(({ num }) => num) }],
              { horizontal: true },
            )}
            table={{
              heads: ['挂靠学院', '圈子（个）', '活动（场）', '签到（人次）'],
              rows: (colleges ?? []).map(({ id, name, circles, num, people }) => [
                name,
                to(circles, groupOf({ collegeId: id })),
                to(num, { ...groupOf({ collegeId: id }), ...maxRows('lessons') }),
                to(people, { ...groupOf({ collegeId: id }), ...maxRows('people') }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="成员分类"
            label="各分类圈子的成员人次"
            definition="时间范围结束时（未结束的按现在）的成员，一人加入两个圈子计 2 人次"
            isLoading={!members}
            isEmpty={of('class').every(({ num }) => num === 0)}
            option={donut(
              of('class').map(({ name, num }) => ({ name, value: num })),
              '人次',
            )}
            table={{
              heads: ['分类', '圈子（个）', '成员（人次）'],
              rows: of('class').map(({ id, name, circles, num }) => [
                name,
                to(circles, { ciClass: id }),
                to(num, { ciClass: id, ...maxRows('members') }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="圈子规模"
            label="各种规模的圈子数"
            definition="按成员数分段；已注销的圈子不计"
            isLoading={!members}
            isEmpty={of('size').length === 0}
            option={bars(
              of('size').map(({ name }) => name),
              [{ name: '圈子（个）', data: of('size').map(({ circles }) => circles) }],
            )}
            table={{
              heads: ['成员数', '圈子（个）', '成员（人次）'],
              rows: of('size').map(({ id, name, circles, num }) => [
                name,
                to(circles, { size: id }),
                to(num, { size: id, ...maxRows('members') }),
              ]),
            }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Chart
            title="发布活动排行"
            label="发布活动最多的圈子"
            definition="时间范围内发布、未取消的活动，取前二十"
            isLoading={!releases}
            isEmpty={releases?.length === 0}
            height={320}
            option={bars(
              (releases ?? []).slice(0, 10).map(({ ciName }) => ciName),
              [{ name: '活动（场）', data: (releases ?? []).slice(0, 10).map(({ num }) => num) }],
              { horizontal: true },
            )}
            table={{
              heads: ['圈子', '活动（场）', '签到（人次）'],
              rows: (releases ?? []).map((one) => [circle(one), one.num, one.people]),
            }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Chart
            title="圈子活跃度"
            label="活跃度最高的圈子"
            definition={`${livelinessFormula(circleParts, lively?.[0]?.weights)}。只计已开始的活动；成员参与 = 活动开始时的成员中签到的人次 ÷ 成员人次`}
            isLoading={!lively}
            isEmpty={lively?.length === 0}
            height={360}
            option={bars(
              first.map(({ ciName }) => ciName),
              circleParts.map(([key, name]) => ({ name, data: first.map(({ parts }) => parts[key]) })),
              { stacked: true, horizontal: true },
            )}
            table={{
              heads: ['圈子', '排名', '活跃度', '活动（场）', '签到（人次）', '签到率（%）', '评分', '成员参与（%）'],
              rows: (lively ?? []).map((one) => [
                circle(one),
                one.rank,
                one.score,
                one.lessons,
                one.people,
                one.signRate ?? '—',
                one.rating ?? '—',
                one.memberRate ?? '—',
              ]),
            }}
          />
        </div>
      </div>
    </>
  )
}

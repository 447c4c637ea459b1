import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { circleParts, livelinessFormula } from '../../../contract/outcomes/statistics/liveliness.ts'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import { bars } from '../../shared/dashboard/chart-options.ts'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, largestFirst, StatCards } from '../../shared/dashboard/stat-cards.tsx'
import { firstTen, StatChart } from '../../shared/dashboard/stat-chart.tsx'
import { figure } from '../../core/service/figure.ts'

const drillDown = {
  count: {},
  active: { stage: 'active' },
  disabled: { stage: 'disabled' },
  added: { stage: 'added' },
  closed: { stage: 'closed' },
  idle: { stage: 'idle' },
  lessons: largestFirst('lessons'),
  perCircle: largestFirst('lessons'),
  members: largestFirst('members'),
  persons: largestFirst('members'),
  teachers: { stage: 'guided' },
}
const students = '/StatisticsAdmin/StudentStatistics'
const circle = ({ ciId, opens }: { ciId: string; opens: boolean }) =>
  opens ? `/communityAdmin/communityList/detail?ciId=${ciId}` : undefined

/** The figures of circles: cards, what they held and who belongs to them, and the rankings. */
export function CircleFigures({
  filters,
  info,
}: {
  filters: Record<string, string>
  info: Answer<typeof circleStatApi.total>
}) {
  const { data: classes } = useCall(circleStatApi.classes, filters, { keepPrevious: true })
  const { data: members } = useCall(circleStatApi.members, filters, { keepPrevious: true })
  const { data: colleges } = useCall(circleStatApi.colleges, filters, { keepPrevious: true })
  const { data: releases } = useCall(circleStatApi.releases, filters, { keepPrevious: true })
  const { data: lively } = useCall(circleStatApi.ranking, filters, { keepPrevious: true })
  // who belongs to circles stands in the students' list; of circles of one kind, and for those who may not see it, the
  // circles themselves
  const joinRate =
    filters['ciClass'] || filters['ciLevel'] || !isScreenOpen(students)
      ? largestFirst('members')
      : `${students}?${new URLSearchParams({ ...(filters['collegeId'] && { collegeId: filters['collegeId'] }), stage: 'circle', show: 'list' })}`
  const of = (kind: 'class' | 'size') => members?.filter((one) => one.kind === kind)
  const first = (lively ?? []).filter(firstTen)
  const schoolWide = colleges && colleges.length > 1 ? colleges.find(({ id, num }) => id === '' && num > 0) : undefined
  return (
    <>
      <StatCards answer={info} leads={{ ...drillDown, joinRate }} rises={changeTones.circle} />
      <div className="stat-charts">
        <StatChart
          title="各分类活动"
          label="各分类的圈子发布的活动数"
          definition="时间范围内由圈子发布、未取消的课程，按圈子的分类计"
          kind="horizontalBars"
          rows={classes}
          isEmpty={classes?.every(({ num }) => num === 0)}
          columns={[
            { title: '分类', value: ({ ccName }) => ccName },
            { title: '圈子（个）', value: ({ circles }) => circles, to: ({ ccId }) => ({ ciClass: ccId }) },
            {
              title: '活动（场）',
              value: ({ num }) => num,
              series: true,
              to: ({ ccId }) => ({ ciClass: ccId, ...largestFirst('lessons') }),
            },
            {
              title: '签到（人次）',
              value: ({ people }) => people,
              to: ({ ccId }) => ({ ciClass: ccId, ...largestFirst('people') }),
            },
          ]}
        />
        <StatChart
          title="各学院活动"
          label="各学院的圈子发布的活动数"
          definition="按圈子的挂靠学院计；没有挂靠学院的归入全校"
          note={schoolWide && `全校性圈子（没有挂靠学院）另有 ${figure(schoolWide.num)} 场，不在图中，见表格。`}
          kind="horizontalBars"
          rows={colleges}
          // what belongs to the whole school would flatten all colleges
          isDrawn={({ id }) => id !== '' || colleges?.length === 1}
          isEmpty={colleges?.every(({ num }) => num === 0)}
          columns={[
            { title: '挂靠学院', value: ({ name }) => name },
            { title: '圈子（个）', value: ({ circles }) => circles, to: ({ id }) => groupOf({ collegeId: id }) },
            {
              title: '活动（场）',
              value: ({ num }) => num,
              series: true,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), ...largestFirst('lessons') }),
            },
            {
              title: '签到（人次）',
              value: ({ people }) => people,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), ...largestFirst('people') }),
            },
          ]}
        />
        <StatChart
          title="成员分类"
          label="各分类圈子的成员人次"
          definition="时间范围结束时（未结束的按现在）的成员，一人加入两个圈子计 2 人次"
          kind="donut"
          unit="人次"
          rows={of('class')}
          isEmpty={of('class')?.every(({ num }) => num === 0)}
          columns={[
            { title: '分类', value: ({ name }) => name },
            { title: '圈子（个）', value: ({ circles }) => circles, to: ({ id }) => ({ ciClass: id }) },
            {
              title: '成员（人次）',
              value: ({ num }) => num,
              series: true,
              to: ({ id }) => ({ ciClass: id, ...largestFirst('members') }),
            },
          ]}
        />
        <StatChart
          title="圈子规模"
          label="各种规模的圈子数"
          definition="按成员数分段；已注销的圈子不计"
          kind="bars"
          rows={of('size')}
          columns={[
            { title: '成员数', value: ({ name }) => name },
            { title: '圈子（个）', value: ({ circles }) => circles, series: true, to: ({ id }) => ({ size: id }) },
            {
              title: '成员（人次）',
              value: ({ num }) => num,
              to: ({ id }) => ({ size: id, ...largestFirst('members') }),
            },
          ]}
        />
        <StatChart
          title="发布活动排行"
          label="发布活动最多的圈子"
          definition="时间范围内发布、未取消的活动，取前二十"
          isWide
          note="取前十名，前二十名见表格。"
          kind="horizontalBars"
          rows={releases}
          isDrawn={firstTen}
          columns={[
            { title: '圈子', value: ({ ciName }) => ciName, to: circle },
            { title: '活动（场）', value: ({ num }) => num, series: true },
            { title: '签到（人次）', value: ({ people }) => people },
          ]}
        />
        <StatChart
          title="圈子活跃度"
          label="活跃度最高的圈子"
          definition={`${livelinessFormula(circleParts, lively?.[0]?.weights)}。只计已开始的活动；成员参与 = 活动开始时的成员中签到的人次 ÷ 成员人次`}
          isWide
          unit="分"
          note="取活跃度最高的十个，全部见表格。"
          kind={bars(
            first.map(({ ciName }) => ciName),
            circleParts.map(([key, name]) => ({ name, unit: '分', data: first.map(({ parts }) => parts[key]) })),
            { stacked: true, lying: true },
          )}
          rows={lively}
          columns={[
            { title: '圈子', value: ({ ciName }) => ciName, to: circle },
            { title: '排名', value: ({ rank }) => rank },
            { title: '活跃度', value: ({ score }) => score },
            { title: '活动（场）', value: ({ lessons }) => lessons },
            { title: '签到（人次）', value: ({ people }) => people },
            { title: '签到率（%）', value: ({ signRate }) => signRate },
            { title: '评分', value: ({ rating }) => rating },
            { title: '成员参与（%）', value: ({ memberRate }) => memberRate },
          ]}
        />
      </div>
    </>
  )
}

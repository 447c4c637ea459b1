import type { ReactNode } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import {
  fieldLabel,
  fieldsTelling,
  lessonFields,
  type LessonField,
  type LessonFieldName,
} from '../../../contract/programme/lessons/lesson-fields.ts'
import { isTeamCourse, placesText } from '../../../contract/programme/lessons/team-fields.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { StoredImage } from '../../core/parts/stored-file.tsx'
import { RichText } from '../rich-text/rich-text.tsx'
import { IndustryFacts } from './industry-facts.tsx'
import { MedicalFacts } from './medical-facts.tsx'
import { periodText } from './lesson-status.tsx'
import { figure } from '../../core/service/figure.ts'

type FactGroup = NonNullable<LessonField['fact']>['group']

const names = (people: readonly { suiName: string; suiNumber: string }[]) =>
  people.map(({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`).join('、')

/**
 * The fields of a group whose description says that the page shows them (contract/programme/lessons/lesson-fields.ts).
 */
const factsIn = (group: FactGroup, lesson: LessonDetail) =>
  fieldsTelling('fact').flatMap(([field, fact]) =>
    fact.group === group
      ? [{ label: fact.label ?? fieldLabel(field), value: valueOf(field, lesson[field]), isWide: fact.isWide ?? false }]
      : [],
  )

function valueOf(field: LessonFieldName, value: unknown): ReactNode {
  const { stored, dictionary, unit = '', format }: LessonField = lessonFields[field]
  if (format === 'rich') return value ? <RichText html={String(value)} /> : ''
  const type = stored === 'flag' ? 'yes_no' : dictionary
  return (Array.isArray(value) ? value : [value ?? ''])
    .map((one) => (type ? labelOf(type, String(one)) : String(one)))
    .filter(Boolean)
    .map((text) => text + unit)
    .join('、')
}

/** Everything a course was set up with, group by group. */
export function LessonFacts({ lesson }: { lesson: LessonDetail }) {
  const range = [
    lesson.rangeColleges.map(({ name }) => name).join('、'),
    lesson.rangeGrades.map((grade) => `${grade} 级`).join('、'),
    ...[lesson.rangeMajors, lesson.rangeClasses, lesson.rangeCircles].map((list) =>
      list.map(({ name }) => name).join('、'),
    ),
    lesson.rangePolitical.map((code) => labelOf('political', code)).join('、'),
    lesson.rangeSexes.map((code) => labelOf('sex', code)).join('、'),
  ]
    .filter(Boolean)
    .join('；')
  return (
    <>
      {lesson.exitReason && (
        <p className="lesson-reason" role="note">
          <b>{labelOf('lesson_status', lesson.liStatus)}：</b>
          {lesson.exitReason}
        </p>
      )}
      <Facts
        items={[
          { label: '课程体系', value: lesson.lsName },
          { label: '级别', value: lesson.liLevelName },
          ...factsIn('basics', lesson),
          { label: '主办单位', value: lesson.liSponsorName },
          ...(lesson.organiserIds.length > 0
            ? [{ label: '承办部门', value: lesson.organiserIds.map(({ name }) => name).join('、') }]
            : []),
          ...(lesson.coOrganisers ? [{ label: '协办单位', value: lesson.coOrganisers }] : []),
          ...(lesson.circleName ? [{ label: '所属圈子', value: lesson.circleName }] : []),
          { label: '负责人', value: names([lesson.principal]) },
          { label: '指导老师', value: names(lesson.teachers) },
          { label: '签到负责人', value: names(lesson.signers) },
          ...(lesson.signUpCheckers.length > 0
            ? [{ label: '报名审核人（流程指定）', value: names(lesson.signUpCheckers) }]
            : []),
          ...(lesson.signInCheckers.length > 0
            ? [{ label: '签到管理人（流程指定）', value: names(lesson.signInCheckers) }]
            : []),
          { label: '联系方式', value: [lesson.contactName, lesson.contactPhone].filter(Boolean).join(' ') },
          { label: '创建', value: `${lesson.createName} · ${lesson.createTime.slice(0, 16)}` },
        ]}
      />
      <Facts
        title="时间地点"
        items={[
          { label: '活动时间', value: periodText(lesson.startTime, lesson.endTime) },
          { label: '地点', value: [lesson.campus, lesson.placeText].filter(Boolean).join(' · ') },
          ...(lesson.sessions.length > 1
            ? [
                {
                  label: '场次',
                  isWide: true,
                  value: lesson.sessions
                    .map(({ lseNo, startTime, endTime, placeText }) =>
                      `${lseNo}. ${periodText(startTime, endTime)} ${placeText}`.trim(),
                    )
                    .join('\n'),
                },
              ]
            : []),
          ...factsIn('place', lesson),
        ]}
      />
      {lesson.liScheme === 'industry' && <IndustryFacts lesson={lesson} />}
      {lesson.liScheme === 'medical' && <MedicalFacts lesson={lesson} />}
      <Facts
        title="报名与签到"
        items={[
          {
            label: '报名方式',
            value: `${labelOf('apply_way', lesson.applyWay)} · ${labelOf('apply_unit', lesson.applyUnit)}`,
          },
          {
            label: '报名时间',
            value: lesson.applyStart && lesson.applyEnd && periodText(lesson.applyStart, lesson.applyEnd),
          },
          ...(isTeamCourse(lesson) ? [{ label: '每队人数', value: `${lesson.teamMin} 至 ${lesson.teamMax} 人` }] : []),
          {
            label: '名额',
            value: `${placesText(lesson)}${lesson.waitlistOn === yesNo.yes ? '，满员后候补' : ''}`,
          },
          { label: '报名范围', value: range || '全校' },
          ...(lesson.quotaByCollege.length > 0
            ? [
                {
                  label: '学院名额',
                  value: lesson.quotaByCollege.map(({ scName, quota }) => `${scName} ${figure(quota)}`).join('、'),
                },
              ]
            : []),
          ...(lesson.reservedIds.length > 0 ? [{ label: '预留名单', value: names(lesson.reservedIds) }] : []),
          ...factsIn('registration', lesson),
          {
            label: '迟到与签退',
            value: `${lesson.lateMinutes} 分钟后为迟到，${lesson.signOutOn === yesNo.yes ? '须签退' : '不须签退'}`,
          },
          ...(lesson.minAttendRate > 0 ? [{ label: '最低出勤率', value: `${lesson.minAttendRate}% 的场次` }] : []),
        ]}
      />
      <Facts
        title="评价与公示"
        items={[
          {
            label: '认定',
            value: [
              `${lesson.liHours} 学时`,
              `${lesson.liCredit} 学分`,
              ...(lesson.liPoints === '0' ? [] : [`${lesson.liPoints} 积分`]),
            ].join(' · '),
          },
          { label: '奖励模板', value: lesson.atName },
          {
            label: '公示期',
            value:
              lesson.liPublictySdate && lesson.liPublictyEdate
                ? `${lesson.liPublictySdate.slice(0, 10)} 至 ${lesson.liPublictyEdate.slice(0, 10)}`
                : `${lesson.publictyDays} 个工作日`,
          },
          ...factsIn('evaluation', lesson),
          ...(lesson.publishAt && !lesson.publishTime
            ? [{ label: '自动发布', value: `${lesson.publishAt.slice(0, 16)}（审批通过后）` }]
            : []),
          ...(lesson.publishTime ? [{ label: '发布时间', value: lesson.publishTime.slice(0, 16) }] : []),
          ...(lesson.completeTime ? [{ label: '完成时间', value: lesson.completeTime.slice(0, 16) }] : []),
        ]}
      />
      <Facts
        title="课程简介"
        items={[
          ...factsIn('intro', lesson),
          ...(lesson.liPoster
            ? [
                {
                  label: '海报',
                  isWide: true,
                  value: <StoredImage view={fileApi.view} id={lesson.liPoster} name={`${lesson.liName}海报`} />,
                },
              ]
            : []),
        ]}
      />
    </>
  )
}

import { Segmented } from 'antd'
import { useState } from 'react'
import type { Input } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { applyStatus, lessonStatus, resultStatus, signStatus } from '../../../contract/core/codes/programme.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { registrationApi, type RegistrationRow } from '../../../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../../../contract/programme/lessons/teams.calls.ts'
import { isTeamCourse } from '../../../contract/programme/lessons/team-fields.ts'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ImportWizard } from '../../core/import/import-wizard.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { RecordActions } from '../../core/action/record-actions.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { usePermission } from '../../core/service/rights.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useKeptFresh } from '../../core/service/use-kept-fresh.ts'
import { useList } from '../../core/list/use-list.ts'
import { CollegeFilter, GradeFilter } from '../../shared/organisation/places.tsx'
import { ParticipantCreditTrace } from '../../shared/lessons/credit-trace.tsx'
import { DrawDrawer } from './draw-drawer.tsx'
import { participantActions } from './participant-actions.tsx'
import { participantColumnsOf } from '../../shared/lessons/participant-columns.tsx'
import { ParticipantCounts } from './participant-counts.tsx'
import { RegisterRulesDialog } from './register-rules-dialog.tsx'
import { SignersDialog } from './signers-dialog.tsx'
import { Teams } from './teams.tsx'
import { participantTools, type ParticipantDialog } from './participant-tools.tsx'

const resultFilter = <DictionaryFilter name="laResult" label="结果" type="result_status" />

/** What the views of the list filter by themselves, and its order: the number of each view is without them. */
const notCounted = ['laStatus', 'laSignStatus', 'laResult', 'hasWork', 'sort', 'order']

/** A view is kept for all courses, and each has awards of its own. */
const ofThisCourse = ['adId']

/** While students register and sign in, the list follows them so many milliseconds later at most. */
const followMs = 10_000
const followed = [registrationApi.view, registrationApi.counts, teamApi.view]

type Part = 'people' | 'teams'
const parts: readonly Part[] = ['people', 'teams']

/**
 * The people of a course, what they can be given and how many they are. A page asks for them beside its course, and not
 * after it.
 */
export function useParticipants(liId: string, under?: string) {
  const list = useList(registrationApi.view, { fixed: { liId }, ...(under && { under }) })
  const { data: awards = [] } = useCall(registrationApi.loadAward, { liId }, { staleTime: 60_000 })
  const { data: counts } = useCall(registrationApi.counts, { liId })
  return { list, awards, counts }
}

/**
 * The people of a course: who applied, who came, what each is given, and all that can be done about it.
 *
 * @param under the name under which the list stands in the address, where it is not the page's own
 */
export function Participants({ lesson, under }: { lesson: LessonDetail; under?: string }) {
  const { liId } = lesson
  const { list, awards, counts } = useParticipants(liId, under)
  const [traced, setTraced] = useState<RegistrationRow>()
  const [open, setOpen] = useState<ParticipantDialog>()
  useKeptFresh(followed, lesson.liStatus === lessonStatus.published && followMs)
  const isForTeams = isTeamCourse(lesson)
  const [query, change] = useAddress()
  // what it opens with stays: a team that is confirmed must not turn the page under whoever looks on
  const [first] = useState<Part>(lesson.applyCount === 0 ? 'teams' : 'people')
  const part = isForTeams ? (parts.find((one) => one === query.get('part')) ?? first) : 'people'
  const acts = participantActions(lesson, setTraced)
  const may = usePermission()
  const tools = participantTools(list, may(admissionApi.draw), setOpen)
  return (
    <div className="participants">
      <div className="participants-head">
        <ParticipantCounts lesson={lesson} counts={counts} />
        <div className="participants-tools">
          <RecordActions record={lesson} actions={tools} name={({ liName }) => liName} />
        </div>
      </div>
      {isForTeams && (
        <div className="participants-part">
          <Segmented<Part>
            value={part}
            onChange={(next) => change(withParams({ part: next }), { replace: true })}
            aria-label="名单或队伍"
            options={[
              { value: 'people', label: '人员名单' },
              { value: 'teams', label: '队伍' },
            ]}
          />
        </div>
      )}
      {part === 'teams' ? (
        <Teams lesson={lesson} />
      ) : (
        <ParticipantList lesson={lesson} participants={{ list, awards, counts }} acts={acts} />
      )}
      {traced && <ParticipantCreditTrace row={traced} onClose={() => setTraced(undefined)} />}
      {open === 'draw' && <DrawDrawer lesson={lesson} onClose={() => setOpen(undefined)} />}
      {open === 'rules' && <RegisterRulesDialog lesson={lesson} onClose={() => setOpen(undefined)} />}
      {open === 'signers' && <SignersDialog lesson={lesson} onClose={() => setOpen(undefined)} />}
      {open === 'import' && (
        <ImportWizard
          title={`导入参与人员：${lesson.liName}`}
          api={importApi}
          kind="lessonApply"
          target={{ liId }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'signIn' && (
        <ImportWizard
          title={`导入签到：${lesson.liName}`}
          api={importApi}
          kind="signIn"
          target={{ liId }}
          hint="按学号登记签到，名单之外的学生不会被添加。"
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

/** The list itself, with how many of those that its filters find are in each view. */
function ParticipantList({
  lesson,
  participants: { list, awards, counts },
  acts,
}: {
  lesson: LessonDetail
  participants: ReturnType<typeof useParticipants>
  acts: ReturnType<typeof participantActions>
}) {
  const isForTeams = isTeamCourse(lesson)
  const { data: found, isPlaceholderData: isFormer } = useCall(
    registrationApi.counts,
    Object.fromEntries(Object.entries(list.query).filter(([name]) => !notCounted.includes(name))) as Input<
      typeof registrationApi.counts
    >,
    { keepPrevious: true },
  )
  const view = (title: string, filters: View['filters'], count: number | undefined): View => ({
    title,
    filters,
    ...(count !== undefined && { count, isFormer }),
  })
  const laStatus = applyStatus.accepted
  const views = [
    view('全部', {}, found?.applyTotal),
    view('待审核', { laStatus: applyStatus.pending }, found?.pending),
    view('已通过', { laStatus }, found?.passed),
    ...(counts && counts.waiting > 0 ? [view('候补', { laStatus: applyStatus.waitlisted }, found?.waiting)] : []),
    view('未签到', { laStatus, laSignStatus: signStatus.notSigned }, found?.notSigned),
    view('未评定', { laStatus, laResult: resultStatus.unrated }, found?.unrated),
    ...(lesson.workRequest === '' ? [] : [view('未提交成果', { laStatus, hasWork: yesNo.no }, found?.withoutWork)]),
  ]
  return (
    <ListTable
      list={list}
      rowKey="laId"
      name="participants"
      views={views}
      keepsViews
      notKept={ofThisCourse}
      filters={
        <>
          <TextFilter name="suiName" label="姓名" />
          <TextFilter name="suiNumber" label="学号" />
          {isForTeams && <TextFilter name="teamName" label="队伍" />}
          <DictionaryFilter name="laSignStatus" label="签到" type="sign_status" />
          {!isForTeams && resultFilter}
        </>
      }
      moreFilters={{
        names: [...(isForTeams ? ['laResult'] : []), 'laStatus', 'collegeId', 'grade', 'adId'],
        filters: (
          <>
            {isForTeams && resultFilter}
            <DictionaryFilter name="laStatus" label="报名" type="apply_status" />
            <CollegeFilter names={{ college: 'collegeId' }} />
            <GradeFilter name="grade" />
            {awards.length > 0 && (
              <SelectFilter
                name="adId"
                label="奖项"
                options={awards.map(({ adId, adName }) => ({ value: adId, label: adName }))}
              />
            )}
          </>
        ),
      }}
      columns={participantColumnsOf(lesson)}
      rowActions={acts.row}
      batchActions={acts.batch}
      empty={{
        text: '还没有参与人员',
        hint: !lesson.can.includes('register')
          ? '发布后按报名时间开放报名。'
          : isForTeams
            ? '可在“队伍”中新建队伍，确认组队后队员进入名单。'
            : '可导入名单，或按姓名学号添加。',
      }}
    />
  )
}

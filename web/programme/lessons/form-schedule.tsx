import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Form } from 'antd'
import { applyUnit, applyWay as applyWayCodes } from '../../../contract/core/codes/programme.ts'
import { quotaUnit } from '../../../contract/core/codes/teams.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { DateTimeField, DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { AreaField, DictionaryField, NumberField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { FormScope } from '../../core/form/form-field.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import { useRules } from '../../shared/school/rules.ts'
import { Conflicts } from './form-conflicts.tsx'
import { CollegePlaces, RangeFields, Reserved } from './form-range.tsx'
import { SignPlace } from './form-place.tsx'

const maxSessions = 60

/** When and where. */
export function Schedule({ liId }: { liId: string | undefined }) {
  return (
    <>
      <DateTimeRangeField names={['startTime', 'endTime']} label="活动时间" span={6} />
      <TextField name="placeText" span={6} placeholder="例如：大学生活动中心 302" />
      <TextField name="campus" span={6} />
      <Sessions />
      <Conflicts liId={liId} />
    </>
  )
}

/** The sessions of a course that meets more than once; a course without any is one session from start to end. */
function Sessions() {
  const form = Form.useFormInstance()
  const setField = useSetField()
  const sessions: unknown[] = Form.useWatch('sessions', { form, preserve: true }) ?? []
  const change = (next: unknown[]) => setField('sessions', next)
  return (
    <div className="sessions span-12">
      <div className="sessions-head">
        <b>场次</b>
        <span>
          {sessions.length === 0
            ? '只有一场时不必填写'
            : `共 ${sessions.length} 场，每场须在活动时间之内，分别生成签到码`}
        </span>
        <Button
          size="small"
          icon={<PlusOutlined />}
          disabled={sessions.length >= maxSessions}
          onClick={() => change([...sessions, {}])}
        >
          添加场次
        </Button>
      </div>
      {sessions.map((_, at) => (
        <div key={at} className="session form-grid">
          <FormScope prefix={['sessions', at]}>
            <DateTimeRangeField names={['startTime', 'endTime']} label={`第 ${at + 1} 场`} span={7} />
            <TextField name="placeText" label="地点" span={4} placeholder="同活动地点" />
          </FormScope>
          <Button
            type="text"
            className="session-remove"
            aria-label={`删除第 ${at + 1} 场`}
            icon={<DeleteOutlined />}
            onClick={() => change(sessions.filter((__, one) => one !== at))}
          />
        </div>
      ))}
    </div>
  )
}

/** Who may take part and how they get in. */
export function Registration() {
  const applyWay = Form.useWatch<string | undefined>('applyWay')
  const isForTeams = Form.useWatch<string | undefined>('applyUnit') === applyUnit.team
  const isByTeam = Form.useWatch<string | undefined>('quotaUnit') === quotaUnit.team && isForTeams
  const asks = Boolean(Form.useWatch<string | undefined>('applyQuestions'))
  const isOpen = applyWay !== applyWayCodes.importedList && applyWay !== applyWayCodes.noRegistration
  return (
    <>
      <DictionaryField name="applyWay" type="apply_way" open />
      <DateTimeRangeField
        names={['applyStart', 'applyEnd']}
        label="报名时间"
        span={6}
        required={isOpen}
        help={isOpen ? '截止时间不能晚于活动开始时间' : '该方式不开放报名，可不填'}
      />
      <NumberField name="quota" span={3} unit={isByTeam ? '队' : '人'} />
      <SwitchField name="waitlistOn" label="名额满后候补" span={3} />
      <DateTimeField name="publishAt" span={6} help="审批通过后到时自动发布；不填则手动发布" />
      {/* what a change of the unit made wrong stays in sight, so that it can be taken out */}
      {((isOpen && !isForTeams) || asks) && (
        <AreaField
          name="applyQuestions"
          rows={3}
          placeholder={'例如：\n您的衣服尺码\n有什么特长'}
          help="每行一个，最多 10 个；学生报名时须逐一回答，回答见参与人员名单"
        />
      )}
      <DictionaryField name="applyUnit" span={isForTeams ? 3 : 6} type="apply_unit" open />
      {isForTeams && (
        <>
          <DictionaryField name="quotaUnit" span={3} type="quota_unit" open help="一个名额给一人或一队" />
          <NumberField name="teamMin" span={3} unit="人" required />
          <NumberField name="teamMax" span={3} unit="人" required />
        </>
      )}
    </>
  )
}

/** For whom it is, how the places are shared out, and who has one from the beginning. */
export function Range({ lesson }: { lesson: LessonDetail | undefined }) {
  const quota = Form.useWatch<string | number | undefined>('quota')
  const isForTeams = Form.useWatch<string | undefined>('applyUnit') === applyUnit.team
  return (
    <>
      <RangeFields lesson={lesson} />
      <CollegePlaces quota={Number(quota) || undefined} />
      {!isForTeams && <Reserved lesson={lesson} />}
    </>
  )
}

/** How attendance is taken. */
export function SignIn() {
  const rules = useRules()
  const signType = Form.useWatch<string[] | undefined>('signType')
  return (
    <>
      <DictionaryField name="signType" label="签到方式" type="sign_type" multiple open />
      <NumberField
        name="lateMinutes"
        span={6}
        unit="分钟"
        help="开始后超过此时间签到记为迟到"
        {...(rules && { placeholder: `不填则为 ${rules.signLateMinutes}` })}
      />
      <SwitchField name="signOutOn" span={6} />
      <NumberField name="minAttendRate" span={6} unit="%" help="多场次课程须参加的场次比例；0 表示不限" />
      <SignPlace signType={signType} />
    </>
  )
}

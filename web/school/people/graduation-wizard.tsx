import { figure } from '../../core/service/figure.ts'
import { Checkbox, Steps } from 'antd'
import { useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { MultiSelect } from '../../core/parts/multi-select.tsx'
import { useDirty } from '../../core/service/tab.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { useColleges, useGrades } from '../../shared/organisation/places.tsx'
import { GraduationConfirm, type GraduationChoice } from './graduation-confirm.tsx'
import { GraduationDone } from './graduation-done.tsx'
import { GraduationRows } from './graduation-rows.tsx'

export type GraduationPreview = Output<typeof graduationApi.preview>

const stages = ['grades', 'check', 'confirm', 'done'] as const
type Stage = (typeof stages)[number]
const untouched: GraduationChoice = { unmet: 'delay' }

/** Graduating years: which, who meets the requirement, what becomes of the others, and what was done. */
export function GraduationWizard() {
  const isPhone = useIsPhone()
  const [stage, setStage] = useState<Stage>('grades')
  const [grades, setGrades] = useState<string[]>([])
  const [collegeIds, setCollegeIds] = useState<string[]>([])
  const [preview, setPreview] = useState<GraduationPreview>()
  const [result, setResult] = useState<Output<typeof graduationApi.graduate>>()
  // held here: the last step is left to look at the list again or to count anew, and what was decided in it stays
  const [choice, setChoice] = useState(untouched)
  const nothingToLose = useDirty(choice !== untouched)
  const { send, isSending } = useSend(graduationApi.preview)
  const count = async () => {
    try {
      setPreview(await send({ gradeList: grades, collegeIds }))
      setStage('check')
    } catch {
      // the reason has been told
    }
  }
  const restart = () => {
    setGrades([])
    setCollegeIds([])
    setStage('grades')
  }
  return (
    <div className="card graduation">
      <Steps
        size="small"
        current={stages.indexOf(stage)}
        responsive={false}
        titlePlacement={isPhone ? 'vertical' : 'horizontal'}
        items={['选择年级', '核对名单', '确认办理', '完成'].map((title) => ({ title }))}
      />
      {stage === 'grades' && (
        <ChooseGrades
          grades={grades}
          onGrades={setGrades}
          collegeIds={collegeIds}
          onColleges={setCollegeIds}
          isSending={isSending}
          onNext={() => void count()}
        />
      )}
      {stage === 'check' && preview && (
        <>
          <Counted preview={preview} />
          <GraduationRows key={preview.previewToken} gbId={preview.previewToken} startsWithUnmet={preview.unmet > 0} />
          <div className="graduation-foot">
            <LockButton onClick={() => setStage('grades')}>上一步</LockButton>
            <LockButton loading={isSending} onClick={() => void count()}>
              重新预览
            </LockButton>
            <LockButton type="primary" onClick={() => setStage('confirm')}>
              下一步
            </LockButton>
          </div>
        </>
      )}
      {stage === 'confirm' && preview && (
        <GraduationConfirm
          preview={preview}
          choice={choice}
          onChoice={(changed) => setChoice((now) => ({ ...now, ...changed }))}
          isCounting={isSending}
          onBack={() => setStage('check')}
          onAgain={() => void count()}
          onDone={(answer) => {
            setChoice(untouched)
            nothingToLose()
            setResult(answer)
            setStage('done')
          }}
        />
      )}
      {stage === 'done' && result && <GraduationDone result={result} onAgain={restart} />}
    </div>
  )
}

interface ChooseProps {
  grades: string[]
  onGrades: (grades: string[]) => void
  collegeIds: string[]
  onColleges: (ids: string[]) => void
  isSending: boolean
  onNext: () => void
}

function ChooseGrades({ grades, onGrades, collegeIds, onColleges, isSending, onNext }: ChooseProps) {
  const options = useGrades()
  const isMissing = useCall(regionApi.grades, {}).data === undefined
  const colleges = useColleges(graduationApi.preview.permit)
  return (
    <div className="graduation-choose">
      <fieldset>
        <legend>
          <span className="required-star">*</span>年级
        </legend>
        <Checkbox.Group
          options={options.map(({ value }) => ({ value, label: `${value}级` }))}
          value={grades}
          onChange={(next) => onGrades(next)}
        />
        {isMissing ? (
          <ReadSkeleton title={false} paragraph={{ rows: 1 }} />
        ) : (
          options.length === 0 && <span className="nothing">还没有班级，请先建立班级</span>
        )}
      </fieldset>
      <div className="graduation-colleges">
        <label htmlFor="graduation-colleges">学院</label>
        <MultiSelect
          id="graduation-colleges"
          options={colleges}
          value={collegeIds}
          onChange={onColleges}
          width="100%"
          placeholder="不选则为全部学院"
        />
      </div>
      <p className="nothing">只统计在读和延期的学生。预览不改变任何数据，{'30 '}分钟内可据此办理。</p>
      <div className="graduation-foot">
        <LockButton type="primary" disabled={grades.length === 0} loading={isSending} onClick={onNext}>
          预览毕业名单
        </LockButton>
      </div>
    </div>
  )
}

/** What the preview counted. */
function Counted({
  preview: { gradeList, total, met, unmet, requiredHours, shortModules, skipped, expireTime },
}: {
  preview: GraduationPreview
}) {
  const figures = [
    ['年级', gradeList.map((grade) => `${grade}级`).join('、')],
    ['学生', `${figure(total)} 人`],
    ['达标', `${figure(met)} 人`],
    ['未达标', `${figure(unmet)} 人`],
    ['要求总学时', requiredHours],
  ] as const
  return (
    <div className="graduation-counted">
      <dl className="graduation-figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={label === '未达标' && unmet > 0 ? 'points-lost' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
      {shortModules.length > 0 && (
        <p>
          未达标分布：
          {shortModules
            .map(({ lsName, required, count }) => `${lsName}（要求 ${required} 学时）${figure(count)} 人`)
            .join('，')}
          。
        </p>
      )}
      {skipped.length > 0 && (
        <p className="nothing">
          不在统计内：
          {skipped
            .map(({ suiStatus, count }) => `${labelOf('student_status', suiStatus)} ${figure(count)} 人`)
            .join('，')}
          。
        </p>
      )}
      <p className="nothing">预览在 {expireTime.slice(11, 16)} 前有效；名单或达标情况有变化时须重新预览。</p>
    </div>
  )
}

import { Alert, Form, Select } from 'antd'
import { useState, type ReactNode } from 'react'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { resultStatus } from '../../../contract/core/codes/programme.ts'
import { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { OwnStatus } from '../../core/parts/row-editor.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { formerClass } from '../../core/parts/former.ts'
import { useDraft } from './draft.ts'
import { useLevelChoices } from './evaluation-choices.ts'
import type { LevelRow } from './level-matrix.tsx'
import type { TeamRow } from './team-section.tsx'

/**
 * What one participation would get by the rule as it stands in the form. `level`: the rule's own; a new set asks which.
 */
export function TryOut({ level }: { level?: string | undefined }) {
  const levels = useLevelChoices()
  const filled = (Form.useWatch<LevelRow[] | undefined>('levels') ?? []).map(({ esLessonLevel }) => esLessonLevel)
  const [chosen, setChosen] = useState<string>()
  const esLessonLevel = level ?? (chosen && filled.includes(chosen) ? chosen : filled[0])
  const { draft, fault } = useDraft(level === undefined ? (esLessonLevel ?? '') : undefined)
  const [partakeMode, setMode] = useState('1')
  const [adId, setAward] = useState<string>()
  const [liHours, setHours] = useState('')
  const [had, setHad] = useState('')
  const [member, setMember] = useState<string>()
  const teams = (draft.teamRules ?? []) as TeamRow[]
  const modes = useDictionary('partake_mode')
  const { data: templates = [] } = useCall(awardApi.select, {}, { staleTime: 300_000 })
  const isReady = esLessonLevel !== undefined && !fault
  const input = {
    rule: draft,
    esLessonLevel: esLessonLevel ?? '',
    partakeMode: partakeMode as '1',
    ...(adId ? { adId, laResult: resultStatus.awarded } : {}),
    ...(liHours && { liHours }),
    ...(had && { had }),
    ...teamOf(member),
  }
  const { data, isPlaceholderData } = useCall(scoringApi.tryOut, input, { enabled: isReady, keepPrevious: true })
  return (
    <FormSection title="试一试" hint="按上面填写的规则计算一名参与者的所得，随修改实时更新，不会保存任何内容。">
      <div className="try-out">
        <OwnStatus>
          <div className="try-out-asks">
            {level === undefined && (
              <Ask label="级别">
                <Select
                  aria-label="试算级别"
                  value={esLessonLevel}
                  placeholder="先填写各级别的数值"
                  options={levels.filter(({ value }) => filled.includes(value))}
                  onChange={setChosen}
                />
              </Ask>
            )}
            <Ask label="课程学时">
              <NumberInput
                aria-label="试算课程学时"
                decimals={2}
                unit="学时"
                placeholder={`${draft.baseHours ?? '规则学时'}`}
                value={liHours}
                onChange={setHours}
              />
            </Ask>
            <Ask label="参与方式">
              <Select aria-label="试算参与方式" value={partakeMode} options={[...modes]} onChange={setMode} />
            </Ask>
            <Ask label="奖项">
              <Select
                aria-label="试算奖项"
                allowClear={clearing}
                placeholder="未获奖（合格）"
                value={adId}
                popupMatchSelectWidth={false}
                onChange={setAward}
                options={templates.map(({ atName, details }) => ({
                  label: atName,
                  title: atName,
                  options: details.map((award) => ({ value: award.adId, label: award.adName })),
                }))}
              />
            </Ask>
            {teams.length > 0 && (
              <Ask label="团队名次">
                <Select
                  aria-label="试算团队名次"
                  allowClear={clearing}
                  placeholder="个人参与"
                  value={member}
                  onChange={setMember}
                  options={teams.flatMap(({ size = 0 }) =>
                    Array.from({ length: size }, (_, at) => ({
                      value: `${size}/${at + 1}`,
                      label: `${size} 人团队第 ${at + 1} 位`,
                    })),
                  )}
                />
              </Ask>
            )}
            {(draft.bestOnlyGroup || draft.yearCap) && (
              <Ask label="学生已有学时">
                <NumberInput
                  aria-label="试算学生已有学时"
                  decimals={2}
                  unit="学时"
                  placeholder="0"
                  value={had}
                  onChange={setHad}
                />
              </Ask>
            )}
          </div>
        </OwnStatus>
        {esLessonLevel === undefined ? (
          <p className="nothing">先填写至少一个级别的数值</p>
        ) : fault ? (
          <Alert type="info" showIcon title={fault} />
        ) : (
          <table className={formerClass(isPlaceholderData, 'try-out-result')} aria-label="试算结果">
            <tbody>
              {data?.entries.map(({ clType, sqlId, name, value, text }) => (
                <tr key={`${clType}${sqlId}`}>
                  <th scope="row">{name}</th>
                  <td className="figures">
                    <b>{value}</b>
                  </td>
                  <td>{text}</td>
                </tr>
              ))}
              {data?.entries.length === 0 && (
                <tr>
                  <td>按这条规则，该参与者没有所得</td>
                </tr>
              )}
            </tbody>
          </table>
        )}
      </div>
    </FormSection>
  )
}

const teamOf = (member: string | undefined) => {
  const [teamSize, teamRank] = member?.split('/').map(Number) ?? []
  return teamSize && teamRank ? { teamSize, teamRank } : {}
}

const Ask = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <span>{label}</span>
    {children}
  </div>
)

import { figure } from '../../core/service/figure.ts'
import { Alert, ConfigProvider } from 'antd'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { AmountField, TextField } from '../../core/form/fields.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Limits, Teams } from './team-section.tsx'
import { TryOut } from './try-out.tsx'
import { WhatIf } from './what-if.tsx'
import { Abilities, Awards, Modes, Validity } from './rule-sections.tsx'
import './evaluation.css'

type Rule = Output<typeof evaluationApi.query>

/**
 * One rule. Where courses score by it, saving a change of what it gives makes the next version; a former one is only
 * read.
 */
export function EvaluationEditPage() {
  const tab = useTab()
  const [query] = useSearchParams()
  const esId = query.get('esId') ?? ''
  const { data: rule, error, refetch } = useCall(evaluationApi.query, { esId }, { enabled: esId !== '' })
  const initial = useMemo(() => rule && formOf(rule), [rule])
  useTabTitle(rule && `${rule.lsFullName} · ${rule.levelName}`)
  return (
    <FormPage
      key={esId}
      title={rule ? `${rule.lsFullName} · ${rule.levelName}` : '编辑评价体系'}
      facts={
        rule &&
        `第 ${rule.versionNo} 版${rule.current ? '' : '（历史版本，只读）'}，${figure(rule.lessonCount)} 门课程采用`
      }
      call={evaluationApi.edit}
      isLoading={!rule}
      reading={{ error, refetch }}
      noun="评价规则"
      list="/basicConfig/EvaluationSystem"
      isReadOnly={rule?.current === false}
      initial={initial}
      draft={`evaluation:${esId}`}
      onDone={({ newVersion, versionNo }) => {
        notify('success', newVersion ? `已保存为第 ${versionNo} 版，此前的课程仍按原版本认定` : '保存成功')
        tab.close('/basicConfig/EvaluationSystem')
      }}
    >
      {rule && rule.lessonCount > 0 && rule.current && (
        <Alert
          className="rule-note"
          type="info"
          showIcon
          title={`已有 ${figure(rule.lessonCount)} 门课程采用本规则。修改数值后将保存为第 ${rule.versionNo + 1} 版，只用于之后创建的课程。`}
        />
      )}
      <FormSection title="学时、学分与积分">
        <TextField name="esName" span={12} placeholder="选填，如：2026 版" />
        <AmountField name="baseHours" span={3} unit="学时" />
        <AmountField name="hourCap" span={3} unit="学时" placeholder="不限" />
        <AmountField name="credit" span={3} unit="学分" />
        <AmountField name="points" span={3} unit="分" />
      </FormSection>
      <Modes />
      <Awards />
      <Teams />
      <Abilities />
      <Limits />
      {/* what a former version would give can be tried as well */}
      <ConfigProvider componentDisabled={false}>{rule && <TryOut level={rule.esLessonLevel} />}</ConfigProvider>
      {rule?.current && <WhatIf esId={esId} />}
      <Validity isReadOnly={rule?.current === false} />
      {rule && rule.versions.length > 1 && (
        <FormSection title="历史版本">
          <Versions rule={rule} />
        </FormSection>
      )}
    </FormPage>
  )
}

function formOf(rule: Rule): Record<string, unknown> {
  const {
    esId,
    version,
    esName,
    baseHours,
    hourCap,
    credit,
    points,
    modeRules,
    awardRules,
    abilityRules,
    teamRules,
    bestOnlyGroup,
    yearCap,
    effectFrom,
    effectTo,
    enable,
  } = rule
  return {
    esId,
    version,
    esName,
    baseHours,
    hourCap: hourCap ?? undefined,
    credit,
    points,
    modeRules,
    awardRules,
    teamRules,
    bestOnlyGroup,
    yearCap: yearCap ?? undefined,
    abilityRules: abilityRules.map(({ sqlId, weight }) => ({ sqlId, weight })),
    effectFrom,
    effectTo: effectTo ?? undefined,
    enable,
  }
}

function Versions({ rule }: { rule: Rule }) {
  return (
    <ol className="rule-versions">
      {rule.versions.map(({ esId, versionNo, effectFrom, effectTo, lessonCount }) => (
        <li key={esId} aria-current={esId === rule.esId}>
          <b>第 {versionNo} 版</b>
          <span>
            {effectFrom} 至 {effectTo ?? '今'}
          </span>
          <span>{figure(lessonCount)} 门课程采用</span>
        </li>
      ))}
    </ol>
  )
}

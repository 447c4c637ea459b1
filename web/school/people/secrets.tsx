import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { isMasked, sensitiveLabels } from '../../../contract/school/people/people.fields.ts'
import { perDay, piiApi, type Unmaskable } from '../../../contract/school/people/pii.calls.ts'
import { AreaField, SelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'

interface Person {
  suId: string
  suiName: string
  can: readonly string[]
}
type Masked = { readonly [field in Unmaskable]?: string | null }

interface Secrets {
  values: Masked
  /** Asks why, and then shows the values; undefined for those who may not. */
  ask: ((field: Unmaskable) => void) | undefined
  hide: (field: Unmaskable) => void
}

const SecretsContext = createContext<Secrets>({ values: {}, ask: undefined, hide: () => undefined })

/**
 * Lets the facts inside show what is sensitive of a person to whoever may see it and says why, until the tab is left.
 */
export function SecretFacts({ person, children }: { person: Person & Masked; children: ReactNode }) {
  const [values, setValues] = useState<Masked>({})
  const [asked, setAsked] = useState<Unmaskable>()
  // effects end when another tab comes to the front: what was opened is hidden again
  useEffect(() => () => (setValues({}), setAsked(undefined)), [person.suId])
  const mayAsk = person.can.includes('unmask')
  const secrets = useMemo<Secrets>(
    () => ({
      values,
      ask: mayAsk ? setAsked : undefined,
      hide: (field) => setValues(({ [field]: _, ...rest }) => rest),
    }),
    [values, mayAsk],
  )
  const choices = (Object.keys(sensitiveLabels) as Unmaskable[])
    .filter((field) => isMasked(person[field] ?? '') && !values[field])
    .map((field) => ({ value: field, label: sensitiveLabels[field] }))
  return (
    <SecretsContext value={secrets}>
      {children}
      {asked && (
        <DialogForm
          title="查看敏感信息"
          width={480}
          call={piiApi.unmask}
          initial={{ suId: person.suId, fields: [asked] }}
          submitText="查看"
          doneText="已显示，离开此页后自动隐藏"
          onClose={() => setAsked(undefined)}
          onDone={({ values: revealed }) => setValues((now) => ({ ...now, ...revealed }))}
        >
          <p className="secret-notice">
            查看{quoted(person.suiName)}的个人信息须说明原因，查看人、时间、内容与原因都会记入操作日志。每人每天最多查看{' '}
            {perDay.unmask} 名人员。
          </p>
          <SelectField name="fields" multiple open options={choices} />
          <AreaField name="reason" rows={2} placeholder="如：核对奖学金名单、家长来电核实" />
        </DialogForm>
      )}
    </SecretsContext>
  )
}

/** A sensitive fact: masked, with an eye for those who may open it. */
export function Secret({ field, value }: { field: Unmaskable; value: string | null }) {
  const { values, ask, hide } = use(SecretsContext)
  const label = sensitiveLabels[field]
  const plain = values[field]
  if (!value) return <span className="nothing">—</span>
  if (plain)
    return (
      <span className="secret">
        {plain}
        <button
          type="button"
          className="secret-eye"
          aria-label={`隐藏${label}`}
          title="隐藏"
          onClick={() => hide(field)}
        >
          <EyeInvisibleOutlined />
        </button>
      </span>
    )
  return (
    <span className="secret">
      <span title={ask ? undefined : '您没有查看敏感信息的权限'}>{value}</span>
      {ask && isMasked(value) && (
        <button
          type="button"
          className="secret-eye"
          aria-label={`查看${label}`}
          title="查看"
          onClick={() => ask(field)}
        >
          <EyeOutlined />
        </button>
      )}
    </span>
  )
}

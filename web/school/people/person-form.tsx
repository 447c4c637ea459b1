import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { FormPage, FormSection } from '../../core/form/form-page.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { notify } from '../../core/service/notice.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import { IdentityFields, neverKept, OtherFields } from './person-fields.tsx'
import { personKinds, type PersonKind } from './person-kinds.ts'
import { SimilarHint } from './similar-hint.tsx'

const blank = {}

interface PersonFormPageProps {
  kind: PersonKind
  birthHelp?: string
  /** What the fields of a record to edit need is still being read. */
  isWaiting?: boolean
  /** The sections between who somebody is and what is left. */
  children: ReactNode
}

/** One form for new people and for edits: an id in the address selects update, none create. */
export function PersonFormPage({ kind, birthHelp, isWaiting = false, children }: PersonFormPageProps) {
  const { noun, status, api, paths } = personKinds[kind]
  const [query] = useSearchParams()
  const suId = query.get('suId') ?? undefined
  const { close } = useTab()
  const { data: person, ...reading } = useInitialData(api.detail, suId, (id) => ({ id }))
  useTabTitle(person && `编辑 ${person.suiName}`)
  return (
    <FormPage
      title={suId ? `编辑${noun}${person ? `：${person.suiName}` : ''}` : `新增${noun}`}
      status={person && <DictionaryChip type={status.type} value={person.suiStatus} tones={status.tones} />}
      call={api.save}
      isLoading={suId !== undefined && (!person || isWaiting)}
      reading={reading}
      noun={noun}
      list={paths.list}
      initial={suId ? person : blank}
      draft={`${kind}:${suId ?? 'new'}`}
      draftWithout={neverKept}
      back={suId ? paths.detail(suId) : paths.list}
      onDone={({ suId: saved }) => {
        notify('success', suId ? '保存成功' : `已新增${noun}；账号尚未激活，重置密码后可登录`)
        close(paths.detail(saved))
      }}
    >
      <FormSection title="基本信息">
        <IdentityFields birthHelp={birthHelp} />
        <SimilarHint kind={kind} suId={suId} former={person?.suiName} />
      </FormSection>
      {children}
      <FormSection title="其他">
        <OtherFields />
      </FormSection>
    </FormPage>
  )
}

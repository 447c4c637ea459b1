import { Button, Space, type FormInstance } from 'antd'
import { createContext, use, useEffect, useId, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import type { Call } from '../../../contract/core/call.ts'
import { LockButton } from '../parts/buttons.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { useDraftOffer } from './draft-offer.tsx'
import { FormScope, focusField, openSectionsOf } from './form-field.tsx'
import { LeaveButton } from '../screen/leave-button.tsx'
import { PageHead } from '../screen/page-head.tsx'
import { ReadFailurePage, type Reading } from '../screen/read-failure.tsx'
import { ReadSkeleton } from '../screen/read-skeleton.tsx'
import { defaultsOf, factsOf, schemaAt } from '../service/schema.ts'
import { ScopedForm } from './scoped-form.tsx'
import { useTab } from '../service/tab.ts'
import { useRecordForm, type RecordFormOptions, type RecordFormState } from './use-record-form.ts'

interface FormPageProps<C extends Call> extends RecordFormOptions<C> {
  title: ReactNode
  facts?: ReactNode
  status?: ReactNode
  /** True while the record to edit is being read. */
  isLoading?: boolean
  /** The call that reads it; where that fails the form gives way to why, and to reading it again. */
  reading?: Reading | undefined
  /** What such a record is called, and the address of the list of them. */
  noun?: string
  list?: string
  submitText?: string
  /** Why the record that was read cannot be edited now; the form gives way to it, with the way back. */
  closed?: string | undefined
  /** What leads on from there, beside the way back. */
  wayOn?: ReactNode
  /** The record is only to be read: its fields stand there, and nothing can be changed or sent. */
  isReadOnly?: boolean
  /** Where 取消 leads; by default to where the person came from. */
  back?: string
  /** Further buttons of the foot, such as 存为草稿. */
  foot?: (form: RecordFormState) => ReactNode
  children: ReactNode
}

/** A form page: sections in one card, anchors at the right, a foot that stays in sight. */
export function FormPage<C extends Call>({
  title,
  facts = '带 * 为必填项',
  status,
  isLoading = false,
  reading,
  noun = '记录',
  list,
  submitText = '保存',
  closed,
  wayOn,
  isReadOnly = false,
  back,
  foot,
  children,
  ...options
}: FormPageProps<C>) {
  const tab = useTab()
  const form = useRecordForm(options)
  const [sections, setSections] = useState<Section[]>([])
  const [faulty, setFaulty] = useState('')
  const offer = useDraftOffer(options.draft, {
    version: options.initial?.['version'],
    isPartial: options.draftWithout !== undefined,
    onTake: (values) => {
      form.fill(values)
      // what was typed stands in sight, also in a section that is shut because the record has nothing there
      openSectionsOf(Object.keys(values))
    },
  })
  const leave = () => {
    form.discard()
    tab.close(back)
  }
  if (closed && !isLoading)
    return (
      <div className="page form-page">
        <PageHead title={title} status={status} />
        <div className="card">
          <EmptyState
            text={closed}
            next={
              <Space>
                {wayOn}
                <Button onClick={() => tab.close(back)}>返回</Button>
              </Space>
            }
          />
        </div>
      </div>
    )
  if (isLoading && reading?.error)
    return <ReadFailurePage head={<PageHead title={title} />} reading={reading} noun={noun} list={list} />
  return (
    <div className="page form-page">
      <PageHead title={title} status={status} facts={facts} />
      <div className="form-columns">
        <div className="card form-card">
          {!isLoading && !isReadOnly && offer}
          {isLoading ? (
            <ReadSkeleton paragraph={{ rows: 8 }} className="form-body" />
          ) : (
            <ScopedForm
              form={form.form}
              layout="vertical"
              {...(isReadOnly && { disabled: true })}
              initialValues={{ ...defaultsOf(options.call.input), ...options.initial }}
              onValuesChange={form.onValuesChange}
              validateTrigger="onBlur"
              className="form-body"
              scrollToFirstError={false}
              onFieldsChange={(_, all) => setFaulty(faultyFields(all))}
            >
              <FormScope schema={options.call.input}>
                <SectionsContext value={setSections}>{children}</SectionsContext>
              </FormScope>
            </ScopedForm>
          )}
          <div className="form-foot">
            <MissingFields names={faulty} schema={options.call.input} form={form.form} />
            <LeaveButton isDirty={form.isDirty} onLeave={leave}>
              {isReadOnly ? '返回' : '取消'}
            </LeaveButton>
            {!isReadOnly && foot?.(form)}
            {!isReadOnly && (
              <LockButton
                type="primary"
                loading={form.isSending}
                disabled={isLoading}
                authority-type={options.call.permit}
                onClick={() => form.submit()}
              >
                {submitText}
              </LockButton>
            )}
          </div>
        </div>
        {sections.length > 1 && <Anchors sections={sections} scroller={tab.scroller} />}
      </div>
    </div>
  )
}

/** The fields with a fault, each by its path; one text, so that nothing is drawn anew while it stays the same. */
const faultyFields = (all: readonly { name?: unknown; errors?: readonly unknown[] }[]): string =>
  all
    .filter(({ errors = [] }) => errors.length > 0)
    .map(({ name }) => (name as (string | number)[]).join('.'))
    .join(' ')

const maxNamed = 4

/** What still has to be filled in or mended, each a way to its field. */
function MissingFields({ names, schema, form }: { names: string; schema: z.ZodType; form: FormInstance }) {
  const paths = names.split(' ').filter(Boolean)
  if (paths.length === 0) return null
  return (
    <p className="form-missing" role="status">
      还有 {paths.length} 处待填写或修改：
      {paths.slice(0, maxNamed).map((path) => (
        <button key={path} type="button" onClick={() => focusField(form, path)}>
          {factsOf(schemaAt(schema, path.split('.'))).label || '其他'}
        </button>
      ))}
      {paths.length > maxNamed && '等'}
    </p>
  )
}

interface Section {
  id: string
  title: string
}

const SectionsContext = createContext<((change: (now: Section[]) => Section[]) => void) | undefined>(undefined)

interface FormSectionProps {
  title: string
  hint?: ReactNode
  /** What nobody has to fill in is shut at first, and opened by a click, by its anchor or by a fault inside. */
  isFolded?: boolean
  children: ReactNode
}

/** A titled part of a form; its title appears among the anchors. */
export function FormSection({ title, hint, isFolded, children }: FormSectionProps) {
  const id = useId()
  const setSections = use(SectionsContext)
  useEffect(() => {
    setSections?.((now) => inOrder([...now.filter((one) => one.id !== id), { id, title }]))
    return () => setSections?.((now) => now.filter((one) => one.id !== id))
  }, [id, title, setSections])
  if (isFolded !== undefined)
    return (
      <details className="form-section form-fold" id={id} aria-label={title} open={!isFolded}>
        <summary>
          <h2>{title}</h2>
          {hint && <span className="form-fold-hint">{hint}</span>}
        </summary>
        <div className="form-grid">{children}</div>
      </details>
    )
  return (
    <section className="form-section" id={id} aria-label={title}>
      <h2>{title}</h2>
      {hint && <p className="form-hint">{hint}</p>}
      <div className="form-grid">{children}</div>
    </section>
  )
}

/** As they stand on the page, whichever was drawn first. */
const inOrder = (sections: Section[]): Section[] =>
  sections.toSorted((a, b) => {
    const [first, second] = [document.getElementById(a.id), document.getElementById(b.id)]
    return first && second && first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1
  })

function Anchors({ sections, scroller }: { sections: Section[]; scroller: () => HTMLElement }) {
  const [active, setActive] = useState(sections[0]?.id)
  useEffect(() => {
    const root = scroller()
    const follow = () => {
      const top = root.getBoundingClientRect().top + 96
      const passed = sections.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= top,
      )
      setActive((passed.at(-1) ?? sections[0])?.id)
    }
    root.addEventListener('scroll', follow, { passive: true })
    return () => root.removeEventListener('scroll', follow)
  }, [sections, scroller])
  return (
    <nav className="anchors" aria-label="本页内容">
      {sections.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          aria-current={id === active}
          onClick={() => {
            const section = document.getElementById(id)
            if (section instanceof HTMLDetailsElement) section.open = true
            section?.scrollIntoView({ block: 'start', behavior: 'smooth' })
          }}
        >
          {title}
        </button>
      ))}
    </nav>
  )
}

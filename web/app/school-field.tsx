import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Output } from '../../contract/core/call.ts'
import { schoolApi } from '../../contract/school/school/school.calls.ts'
import { send } from '../core/service/api.ts'
import './school-field.css'

type Found = Output<typeof schoolApi.search>
export type FoundSchool = Found['schools'][number]

/** Milliseconds of silence after which what was typed is looked for. */
const pauseMs = 200
const nothing: Found = { schools: [], isByHost: false, isMore: false }

/**
 * The schools that what was typed may mean; of an empty field those that the page itself suggests, by the host under
 * which it was opened. Nothing while the service is not reached: a code can be typed without it.
 */
export function useSchools(typed: string): Found {
  const words = typed.trim().slice(0, 60)
  const [found, setFound] = useState(nothing)
  useEffect(() => {
    const stop = new AbortController()
    const look = () =>
      send(schoolApi.search, { words, host: window.location.hostname }, { quiet: true, signal: stop.signal })
        .then(setFound)
        .catch(() => undefined)
    const timer = setTimeout(() => void look(), words ? pauseMs : 0)
    return () => (clearTimeout(timer), stop.abort())
  }, [words])
  return found
}

/**
 * Suggests the school of the page's host, or the only one there is: once, before anything is typed. Drawn at once, for
 * a suggestion drawn a moment later could fall between what somebody types.
 */
export function useSuggestedSchool(typed: string, { schools, isMore }: Found, onSuggested: (code: string) => void) {
  const isOver = useRef(false)
  const only = schools.length === 1 && !isMore ? schools[0]!.schoolId : undefined
  useEffect(() => {
    if (isOver.current || (typed === '' && !only)) return
    isOver.current = true
    if (typed === '' && document.activeElement?.getAttribute('name') !== 'schoolId')
      queueMicrotask(() => flushSync(() => onSuggested(only!)))
  }, [only, typed])
}

/** The school that is meant: by its code, its whole name, or as the only one found by something that is no code. */
export function schoolMeant(typed: string, { schools, isMore }: Found): FoundSchool | undefined {
  const words = typed.trim()
  const exact = schools.find(({ schoolId, schName }) => schoolId === words || schName === words)
  if (exact || words === '') return exact
  return !/^[\w-]{1,32}$/.test(words) && schools.length === 1 && !isMore ? schools[0] : undefined
}

/** The code of whichever school is meant; what looks like one is taken as it is. Empty where no school is meant. */
export function schoolCode(typed: string, found: Found): string {
  const words = typed.trim()
  return schoolMeant(typed, found)?.schoolId ?? (/^[\w-]{1,32}$/.test(words) ? words : '')
}

/** What to do where no school is meant. */
export const schoolFault = (typed: string): string => (typed.trim() ? '请从列表中选择学校' : '请输入学校名称或代码')

interface Props {
  typed: string
  onTyped: (typed: string) => void
  found: Found
  error?: string | undefined
  /** Names of classes of the page that it stands on. */
  look: { field: string; label?: string; note: string; fault: string }
}

/** Where somebody says which school is theirs: by name, pinyin or code, with those that are found below it. */
export function SchoolField({ typed, onTyped, found, error, look }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const known = schoolMeant(typed, found)
  const isShown = isOpen && found.schools.length > 0 && typed.trim() !== ''
  const choose = (school: FoundSchool) => (onTyped(school.schoolId), setOpen(false), setAt(-1))
  function move(event: KeyboardEvent) {
    if (event.key === 'Escape') return setOpen(false)
    if (event.key === 'Enter' && isShown && at >= 0) {
      event.preventDefault()
      return choose(found.schools[at]!)
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || found.schools.length === 0) return
    event.preventDefault()
    setOpen(true)
    setAt((at + step + found.schools.length + (at < 0 && step < 0 ? 1 : 0)) % found.schools.length)
  }
  return (
    <div className={look.field}>
      <label htmlFor={id} className={look.label}>
        学校代码或名称
      </label>
      <div className="school-typed">
        <input
          id={id}
          name="schoolId"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          autoComplete="organization"
          placeholder="输入名称、拼音或代码查找"
          maxLength={60}
          required
          value={typed}
          onChange={(event) => (onTyped(event.target.value), setOpen(true), setAt(-1))}
          onBlur={() => setOpen(false)}
          onKeyDown={move}
        />
        {isShown && (
          <ul id={`${id}-list`} role="listbox" aria-label="找到的学校" className="school-list">
            {found.schools.map((school, place) => (
              <li
                key={school.schoolId}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === at}
                // before the field loses the focus
                onPointerDown={(event) => (event.preventDefault(), choose(school))}
              >
                {school.schName}
                <small>{school.schoolId}</small>
              </li>
            ))}
            {found.isMore && (
              <li role="presentation" className="school-more">
                还有其他学校，请继续输入
              </li>
            )}
          </ul>
        )}
      </div>
      <p id={`${id}-note`} className={error ? look.fault : look.note} aria-live="polite">
        {error ?? known?.schName}
      </p>
    </div>
  )
}

import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { Link } from 'react-router'

/** A block of the page under its own heading. */
export function Card({ title, note, children }: { title?: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="s-card">
      {title && (
        <div className="s-card-head">
          <h2>{title}</h2>
          {note && <span className="s-note">{note}</span>}
        </div>
      )}
      {children}
    </section>
  )
}

/** A line that leads somewhere. */
export const LinkRow = ({
  to,
  title,
  note,
  mark,
}: {
  to: string
  title: string
  note?: ReactNode
  mark?: ReactNode
}) => (
  <Link className="s-row" to={to}>
    <span className="s-row-text">
      <strong>{title}</strong>
      {note && <small>{note}</small>}
    </span>
    {mark}
    <span className="s-go" aria-hidden="true">
      ›
    </span>
  </Link>
)

export type Tone = 'draft' | 'waiting' | 'published' | 'publicity' | 'finished' | 'refused'

/** How far something is, in a word. */
export const Chip = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`s-chip s-chip-${tone}`}>{children}</span>
)

/** Facts, a name and a value each; empty values are left out. */
export const Facts = ({ of }: { of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="s-facts">
    {of
      .filter(([, value]) => value !== '' && value !== null && value !== undefined)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/**
 * What a call answers, or what stands there instead: bones while it comes, what went wrong with a way to try again, and
 * a word where there is nothing.
 */
export function Answered<T>({
  of,
  isEmpty = () => false,
  empty = '暂无内容',
  children,
}: {
  of: Pick<UseQueryResult<T>, 'data' | 'isError'> & { refetch: () => unknown }
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  children: (data: T) => ReactNode
}) {
  const { data, isError, refetch } = of
  if (data !== undefined) return isEmpty(data) ? <p className="s-empty">{empty}</p> : children(data)
  if (isError)
    return (
      <div className="s-empty" role="alert">
        <p>没有取到内容，请检查网络后重试</p>
        <button type="button" className="s-button" onClick={() => void refetch()}>
          重试
        </button>
      </div>
    )
  return (
    <div className="s-bones" role="status" aria-label="正在加载">
      <i />
      <i />
      <i />
    </div>
  )
}

/** Stands in place of a code that may no longer count. */
export function StoppedCode({ onRetry }: { onRetry: () => unknown }) {
  const retry = useEffectEvent(() => void onRetry())
  useEffect(() => {
    const again = () => retry()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <div className="s-empty" role="alert">
      <p>没有网络，签到码已停止更新</p>
      <p>连上网络后自动恢复</p>
      <button type="button" className="s-button" onClick={() => void onRetry()}>
        重试
      </button>
    </div>
  )
}

/** One step of a way: passed, failed, still ahead or not gone, with what was said at it. */
export interface Step {
  name: string
  state: 'passed' | 'failed' | 'now' | 'ahead' | 'ended'
  note?: string
}

/** The way something takes, step by step. */
export const Steps = ({ of }: { of: readonly Step[] }) => (
  <ol className="s-steps">
    {of.map(({ name, state, note }, at) => (
      <li key={`${name}${at}`} className={`s-step-${state}`}>
        <strong>
          {name}
          <span className="visually-hidden">
            {{ passed: '，已完成', failed: '，未通过', now: '，进行中', ahead: '，未开始', ended: '，未执行' }[state]}
          </span>
        </strong>
        {note && <p>{note}</p>}
      </li>
    ))}
  </ol>
)

/** Which of several views is shown. */
export function Tabs<T extends string>({
  of,
  value,
  onChange,
  label,
}: {
  of: readonly (readonly [T, string])[]
  value: T
  onChange: (value: T) => void
  label: string
}) {
  return (
    <div className="s-tabs" role="group" aria-label={label}>
      {of.map(([key, name]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {name}
        </button>
      ))}
    </div>
  )
}

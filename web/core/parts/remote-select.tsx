import { Select } from 'antd'
import { useDeferredValue, useMemo, useState, type ReactElement } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { emptyText, NotRead } from './empty-state.tsx'
import { clearing } from './clear-icon.tsx'
import { sessionStore } from '../service/storage.ts'
import { useCall } from '../service/use-call.ts'
import { useDebounced } from '../service/use-debounced.ts'

export interface RemoteChoice {
  value: string
  label: string
  /** Shown beside the label in the list: a number, a college. */
  hint?: string | undefined
}

export interface RemoteProps<C extends Call> {
  /** The call that searches. */
  call: C
  /** Its input for what has been typed; the empty text asks for the first choices. */
  input: (word: string) => Input<C>
  options: (answer: Output<C>) => RemoteChoice[]
  /** How many choices the call gives at most, where it does not count them; 20 unless told. */
  maxFound?: number
  /** Choices known already, such as the record's own, so that their names show at once. */
  known?: readonly RemoteChoice[] | undefined
}

interface RemoteSelectProps<C extends Call> extends RemoteProps<C> {
  multiple?: boolean
  max?: number
  value?: string | string[] | null
  onChange?: (value: string | string[] | undefined, chosen: RemoteChoice[]) => void
  placeholder?: string
  id?: string
  disabled?: boolean
  autoFocus?: boolean
  /** Said below the choices: how to find what is not among them. */
  note?: string | undefined
}

/** A choice among more than can be listed: typing asks the service. Names once seen are remembered for this window. */
export function RemoteSelect<C extends Call>({
  call,
  input,
  options,
  maxFound = 20,
  known,
  multiple = false,
  max = 999,
  value,
  onChange,
  placeholder = '输入后搜索',
  note,
  ...rest
}: RemoteSelectProps<C>) {
  const [word, setWord] = useState('')
  const [isOpen, setOpen] = useState(false)
  const asked = useDebounced(useDeferredValue(word.trim()), 250)
  const chosen = value === undefined || value === null || value === '' ? [] : Array.isArray(value) ? value : [value]
  const knownNames = useMemo(() => new Map((known ?? []).map((choice) => [choice.value, choice])), [known])
  const isNameless = chosen.some((one) => !knownNames.has(one) && !nameOf(one))
  const answer = useCall(call, input(asked), { enabled: isOpen || isNameless, keepPrevious: true, staleTime: 30_000 })
  // what was found for a former word must not be there for Enter to take
  const isSearching = word.trim() !== '' && (word.trim() !== asked || answer.isPlaceholderData)
  const found = useMemo(
    () => (answer.data === undefined || isSearching ? [] : options(answer.data)),
    [answer.data, isSearching],
  )
  const foundNames = new Map(found.map((choice) => [choice.value, choice]))
  const choiceOf = (one: string): RemoteChoice =>
    foundNames.get(one) ??
    knownNames.get(one) ?? { value: one, label: nameOf(one) ?? (answer.isFetching ? '…' : '已选项') }
  const more = moreThan(answer.data, found.length, maxFound)
  const notes = [more && `仅列出前 ${found.length} 项，继续输入以缩小范围`, note].filter(Boolean)
  const shown = [...found, ...chosen.filter((one) => !foundNames.has(one)).map(choiceOf)]

  return (
    <Select
      {...rest}
      {...(multiple ? { mode: 'multiple' as const, maxCount: max, maxTagCount: 'responsive' as const } : {})}
      className="remote-select"
      value={multiple ? chosen : chosen[0]}
      options={shown.filter((choice) => !word || foundNames.has(choice.value))}
      labelRender={({ value: one }) => choiceOf(String(one)).label}
      optionRender={({ data }) => (
        <span className="choice">
          {data.label}
          {data.hint && <small>{data.hint}</small>}
        </span>
      )}
      showSearch={{ filterOption: false, onSearch: setWord, searchValue: word }}
      onOpenChange={(open) => (setOpen(open), !open && setWord(''))}
      loading={answer.isFetching}
      notFoundContent={
        isSearching || answer.isFetching ? (
          '正在搜索…'
        ) : answer.isError ? (
          <NotRead onRetry={() => void answer.refetch()} />
        ) : word ? (
          `没有找到${quoted(word)}`
        ) : (
          emptyText
        )
      }
      popupMatchSelectWidth={false}
      {...(notes.length > 0 && {
        popupRender: (menu: ReactElement) => (
          <>
            {menu}
            {notes.map((one) => (
              <p key={String(one)} className="remote-note">
                {one}
              </p>
            ))}
          </>
        ),
      })}
      placeholder={placeholder}
      allowClear={clearing}
      onChange={(next: string | string[] | undefined) => {
        const list = next === undefined ? [] : Array.isArray(next) ? next : [next]
        const choices = list.map(choiceOf)
        remember(choices)
        onChange?.(next, choices)
      }}
    />
  )
}

/** Whether there are more choices than those that came; `maxFound` as in {@link RemoteProps}. */
function moreThan(answer: unknown, listed: number, maxFound: number): boolean {
  const { total } = (answer ?? {}) as { total?: unknown }
  return typeof total === 'number' ? total > listed && listed > 0 : listed >= maxFound
}

const key = 'choice-names'
const nameOf = (value: string): string | undefined => sessionStore.get<Record<string, string>>(key)?.[value]
const remember = (choices: RemoteChoice[]): void =>
  sessionStore.set(key, {
    ...sessionStore.get<Record<string, string>>(key),
    ...Object.fromEntries(choices.map(({ value, label }) => [value, label])),
  })

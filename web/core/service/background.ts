import { useState } from 'react'
import { fullPath, type Call, type ForAll } from '../../../contract/core/call.ts'
import { csvType } from '../../../contract/core/file.ts'
import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import { send } from './api.ts'
import { notify } from './notice.tsx'
import { createStore, useStore } from './store.ts'
import { queryClient, refreshAll } from './use-call.ts'
import { ApiError } from './wire.ts'
import { figure } from './figure.ts'

/** All rows of a list that fit its filters: how a screen names them without their ids. */
export interface AllRows {
  list: Call
  /** The input of the list call, without the page. */
  query: Record<string, unknown>
  /** How many they are, as the person has been told. */
  total: number
}

/** All rows of a list, and what the list does once an action on them was begun, or their number was another one. */
export interface AllOfList extends AllRows {
  onStarted: () => void
  /** Shows the list as it is now, and answers how many rows there are. */
  onChanged: () => Promise<number>
}

/**
 * All rows of a list, as a dialog asks about them: where there are no longer as many as it said, it goes on with how
 * many there are, so that the person can look and confirm again.
 */
export function useAllOfList(all: AllOfList | undefined): AllOfList | undefined {
  const [counted, count] = useState<number>()
  if (!all) return undefined
  const onChanged = async () => {
    const now = await all.onChanged()
    count(now)
    return now
  }
  return { ...all, total: counted ?? all.total, onChanged }
}

/** How an action is done to all rows of a list; undefined where it cannot be. */
export const forAllOf = (act: Call, list: Call): ForAll | undefined =>
  act.forAll.find((one) => one.list === fullPath(list))

/**
 * All rows of a list for an action on them: once their number was another one, the list is shown anew and they are
 * counted.
 * @param onCounted takes the new number, where the list shows it
 */
export const allOfList = (
  { list, query, total }: AllRows,
  { onStarted = () => undefined, onCounted }: { onStarted?: () => void; onCounted?: (now: number) => void } = {},
): AllOfList => ({
  list,
  query,
  total,
  onStarted,
  async onChanged() {
    void refreshAll()
    const now = await countAll(list, query)
    onCounted?.(now)
    return now
  },
})

/** How many rows of a list fit its filters, exactly. */
export const countAll = async (list: Call, query: Record<string, unknown>): Promise<number> =>
  (await send(backgroundApi.countAll, { list: fullPath(list), filter: query })).total

/**
 * Starts an action on all rows and says so.
 * @param title what the action is called on its button
 * @param input of the action for any rows; what names these is left out of it
 */
export async function actOnAll(
  { list, query, total, onStarted, onChanged }: AllOfList,
  act: Call,
  title: string,
  input: Record<string, unknown>,
): Promise<undefined> {
  const how = forAllOf(act, list)!
  const named = new Set([how.ids, how.pair?.field])
  const given = Object.fromEntries(Object.entries(input).filter(([field]) => !named.has(field)))
  const { btId } = await send(backgroundApi.actOnAll, {
    list: fullPath(list),
    filter: query,
    act: fullPath(act),
    given,
    title,
    total,
  }).catch(async (error: unknown) => {
    if (isAllChanged(error)) await onChanged().catch(() => undefined)
    throw error
  })
  onStarted()
  notify('success', `已在后台开始，共 ${figure(total)} 条；可继续其他工作`, {
    label: '查看进度',
    run: openTasks,
  })
  followTask(btId)
}

/** Whether an action on all rows was refused because there are no longer as many as the person was told. */
export const isAllChanged = (error: unknown): boolean => error instanceof ApiError && error.reason === 'all-changed'

/** What this page began and has not seen the end of, with what is done with the name of an export's file. */
const followed = new Map<string, (name: string) => void>()
/** How many tasks this page has begun. */
const begun = createStore(0)

/**
 * Tells the end of a task that this page began, however soon it comes: one that is over before the first look at what
 * goes on has never been seen under way.
 * @param onDone for an export, whose file is fetched as soon as it is done: what to do with its name
 */
export function followTask(btId: string, onDone: (name: string) => void = () => undefined): void {
  followed.set(btId, onDone)
  begun.set(begun.get() + 1)
  void queryClient.invalidateQueries({ queryKey: [backgroundApi.list.path] })
}

/** How many tasks this page has begun; another one may be over already. */
export const useBegun = (): number => useStore(begun)

/** Starts an export whose file is fetched by itself when it is done. */
export async function exportInBackground(
  call: Call,
  input: unknown,
  {
    rows,
    accept,
    onDone = () => undefined,
  }: { rows?: number | undefined; accept?: string; onDone?: (name: string) => void } = {},
): Promise<void> {
  const { btId } = await send(backgroundApi.exportFile, {
    call: fullPath(call),
    input: input as Record<string, unknown>,
    ...(rows !== undefined && { rows }),
    ...(accept === csvType && { csv: '1' }),
  })
  notify('success', '已在后台开始导出，完成后自动下载；可继续其他工作', { label: '查看进度', run: openTasks })
  followTask(btId, onDone)
}

/** What is done with the name of an export's file at the end of a task that this page began; asked once. */
export function takeFollowed(btId: string): ((name: string) => void) | undefined {
  const onDone = followed.get(btId)
  followed.delete(btId)
  return onDone
}

const areTasksOpen = createStore(false)

/** Shows the list of what goes on in the background. */
export const openTasks = (): void => areTasksOpen.set(true)

/** Shows that list, or hides it. */
export const setTasksOpen = (open: boolean): void => areTasksOpen.set(open)

/** Whether the list is to be seen. */
export const useTasksOpen = (): boolean => useStore(areTasksOpen)

/** A length of time as people say it: `约 20 秒`, `约 3 分钟`. */
export const aboutTime = (seconds: number): string =>
  seconds < 55 ? `约 ${Math.max(1, Math.ceil(seconds / 5) * 5)} 秒` : `约 ${Math.ceil(seconds / 60)} 分钟`

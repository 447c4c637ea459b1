import { Input, Tree } from 'antd'
import { useLayoutEffect, useMemo, useRef, useState, type Key } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

export type PlaceKind = 'collegeId' | 'majorId' | 'classId'
/** A college, major or class, and the words that name it with what it belongs to. */
export interface Place {
  kind: PlaceKind
  id: string
  path: string[]
}

type Colleges = Output<typeof collegeApi.tree>
const none: Colleges = []
interface Node {
  key: string
  title: string
  place: Place
  isLeaf: boolean
  children?: Node[]
}

/** The colleges, majors and classes whose transcripts the person may see. */
export function usePlaces() {
  const { data: read } = useCall(collegeApi.tree, { under: transcriptApi.list.permit }, { staleTime: 5 * 60_000 })
  const data = read ?? none
  const tree = useMemo(() => toNodes(data), [data])
  const grades = useMemo(
    () =>
      [
        ...new Set(
          data.flatMap(({ children }) => children.flatMap((major) => major.children.map(({ grade }) => grade))),
        ),
      ]
        .toSorted()
        .toReversed(),
    [data],
  )
  return { tree, grades, isMissing: read === undefined }
}

const toNodes = (colleges: Colleges): Node[] =>
  colleges.map((college) =>
    node(
      'collegeId',
      college,
      [],
      college.children.map((major) =>
        node(
          'majorId',
          major,
          [college.name],
          major.children.map((one) => node('classId', one, [college.name, major.name])),
        ),
      ),
    ),
  )

function node(kind: PlaceKind, { id, name }: { id: string; name: string }, above: string[], children?: Node[]): Node {
  return {
    key: `${kind}:${id}`,
    title: name,
    place: { kind, id, path: [...above, name] },
    isLeaf: !children?.length,
    ...(children && { children }),
  }
}

export const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((one) => [one, ...flat(one.children ?? [])])

/** Branches whose name, or a name below them, holds the word; a match keeps all below it. */
const matching = (nodes: readonly Node[], word: string): Node[] =>
  nodes.flatMap((one) => {
    if (one.title.includes(word)) return [one]
    const children = matching(one.children ?? [], word)
    return children.length > 0 ? [{ ...one, children }] : []
  })

interface PlaceTreeProps {
  tree: readonly Node[]
  /** Not read yet, or not to be had. */
  isMissing: boolean
  chosen: Place | undefined
  onChoose: (place: Place | undefined) => void
}

/**
 * The class tree of the transcript list: a click narrows the list to a college, major or class, a second one widens it
 * again.
 */
export function PlaceTree({ tree, isMissing, chosen, onChoose }: PlaceTreeProps) {
  const [word, setWord] = useState('')
  const [opened, setOpened] = useState<Key[]>()
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(400)
  useLayoutEffect(() => {
    const watch = new ResizeObserver(
      ([entry]) => entry && entry.contentRect.height > 0 && setHeight(entry.contentRect.height),
    )
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  const shown = useMemo(() => (word.trim() ? matching(tree, word.trim()) : [...tree]), [tree, word])
  const chosenKey = chosen && `${chosen.kind}:${chosen.id}`
  // at first the way to what is chosen is open, or the one college there is
  const first = chosenKey
    ? flat(tree)
        .filter((one) => flat(one.children ?? []).some(({ key }) => key === chosenKey))
        .map(({ key }) => key)
    : tree.length === 1
      ? tree.map(({ key }) => key)
      : []
  const expanded = word.trim()
    ? flat(shown)
        .filter(({ children }) => children?.length)
        .map(({ key }) => key)
    : (opened ?? first)
  return (
    <div className="place-tree">
      <Input
        value={word}
        onChange={(event) => setWord(event.target.value)}
        placeholder="搜索学院、专业、班级"
        aria-label="搜索学院、专业、班级"
        allowClear={clearing}
        maxLength={50}
      />
      <button type="button" className="place-all" aria-pressed={!chosen} onClick={() => onChoose(undefined)}>
        全部学生
      </button>
      <div ref={box} className="place-tree-body">
        {isMissing ? (
          <ReadSkeleton paragraph={{ rows: 6 }} title={false} />
        ) : shown.length === 0 ? (
          <EmptyState text={word ? `没有找到${quoted(word)}` : '暂无班级'} />
        ) : (
          <Tree<Node>
            blockNode
            showLine={false}
            virtual
            height={height}
            treeData={shown}
            titleRender={({ title }) => <span title={title}>{title}</span>}
            selectedKeys={chosenKey ? [chosenKey] : []}
            expandedKeys={expanded}
            onExpand={(keys) => setOpened(keys)}
            onSelect={(_, { node: one, selected }) => onChoose(selected ? one.place : undefined)}
          />
        )}
      </div>
    </div>
  )
}

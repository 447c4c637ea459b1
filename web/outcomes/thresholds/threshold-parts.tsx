import { Tabs } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { PageHead } from '../../core/screen/page-head.tsx'

const parts = { list: '预警情况', bases: '基准值', prompts: '提醒记录' } as const
export type Part = keyof typeof parts

/** Which part of the screen is open; it stands in the address as `tab=`. */
export function usePart(): [Part, (part: Part) => void] {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('tab')
  return [
    wanted === 'bases' || wanted === 'prompts' ? wanted : 'list',
    (next) => setQuery(next === 'list' ? {} : { tab: next }),
  ]
}

/** The way from part to part; `before` may ask about it first. */
export function PartTabs({ before = (go) => go() }: { before?: ((go: () => void) => void) | undefined }) {
  const [part, setPart] = usePart()
  return (
    <Tabs
      className="threshold-tabs"
      activeKey={part}
      onChange={(key) => before(() => setPart(key as Part))}
      items={Object.entries(parts).map(([key, label]) => ({ key, label }))}
    />
  )
}

/** The head of the parts that are no statistic. */
export function PartHeader({
  facts,
  tools,
  before,
}: {
  facts: ReactNode
  tools?: ReactNode
  before?: (go: () => void) => void
}) {
  return (
    <>
      <PageHead title="阈值预警" facts={facts} tools={tools} />
      <PartTabs before={before} />
    </>
  )
}

/** `第 3 学期末`. */
export const termText = (term: number): string => `第 ${term} 学期末`

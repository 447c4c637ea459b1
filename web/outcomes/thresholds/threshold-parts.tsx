import type { ReactNode } from 'react'
import { Tabs } from '../../core/parts/tabs.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePart } from '../../core/screen/use-address.ts'

/** Which part of the screen is open. */
export const useOpenPart = () => usePart({ list: '预警情况', bases: '基准值', prompts: '提醒记录' })

/** The way from part to part; `before` may ask about it first. */
export function PartTabs({ before = (go) => go() }: { before?: ((go: () => void) => void) | undefined }) {
  const { tabs } = useOpenPart()
  return <Tabs className="threshold-tabs" {...tabs} onChange={(key) => before(() => tabs.onChange(key))} />
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

import { Tabs } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { PageHead } from '../core/page-head.tsx'
import type { ChipTone } from '../core/status-chip.tsx'

/** Tones of the warning levels. */
export const levelTones: Record<string, ChipTone> = { '0': 'finished', '1': 'waiting', '2': 'publicity', '3': 'refused' }

const parts = { list: '预警名单', bases: '基准值', prompts: '提醒记录' } as const
export type Part = keyof typeof parts

/** Which part of the screen is open; it stands in the address as `tab=`. */
export function usePart(): [Part, (part: Part) => void] {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('tab')
  return [wanted === 'bases' || wanted === 'prompts' ? wanted : 'list', (next) => setQuery(next === 'list' ? {} : { tab: next })]
}

/** The head that the parts share. */
export function PartHead({ facts, tools }: { facts: ReactNode; tools?: ReactNode }) {
  const [part, setPart] = usePart()
  return (
    <>
      <PageHead title="阈值预警" facts={facts} tools={tools} />
      <Tabs className="threshold-tabs" activeKey={part} onChange={(key) => setPart(key as Part)} items={Object.entries(parts).map(([key, label]) => ({ key, label }))} />
    </>
  )
}

/** `第 3 学期末`. */
export const termText = (term: number): string => `第 ${term} 学期末`

import { Tabs } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { PageHead } from '../../core/screen/page-head.tsx'

const parts = { students: '学生成绩单', scores: '得分明细', issues: '签发记录', applications: '成绩单申请' } as const
export type Part = keyof typeof parts

/** Which of the screen's lists is open; it stands in the address as `tab=`, and each list's filters with it. */
export function usePart(): [Part, (part: Part) => void] {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('tab')
  const part = wanted === 'scores' || wanted === 'issues' || wanted === 'applications' ? wanted : 'students'
  return [part, (next) => setQuery(next === 'students' ? {} : { tab: next })]
}

/** The head that the lists share. */
export function ListHeader({ facts, tools }: { facts: ReactNode; tools?: ReactNode }) {
  const [part, setPart] = usePart()
  return (
    <>
      <PageHead title="成绩单查看" facts={facts} tools={tools} />
      <Tabs
        className="transcript-tabs"
        activeKey={part}
        onChange={(key) => setPart(key as Part)}
        items={Object.entries(parts).map(([key, label]) => ({ key, label }))}
      />
    </>
  )
}

import type { ReactNode } from 'react'
import { Tabs } from '../../core/parts/tabs.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePart } from '../../core/screen/use-address.ts'

/** Which of the screen's lists is open. */
export const useOpenList = () =>
  usePart({ students: '学生成绩单', scores: '得分明细', issues: '签发记录', applications: '成绩单申请' })

/** The head that the lists share. */
export function ListHeader({ facts, tools }: { facts: ReactNode; tools?: ReactNode }) {
  const { tabs } = useOpenList()
  return (
    <>
      <PageHead title="成绩单查看" facts={facts} tools={tools} />
      <Tabs className="transcript-tabs" {...tabs} />
    </>
  )
}

import { Skeleton, type SkeletonProps } from 'antd'
import { useState } from 'react'
import { useFailedReads } from '../service/failed-reads.ts'
import { ReadFailure, type Reading } from './read-failure.tsx'

/**
 * Stands in the place of what is being read. Where nothing more comes because a read failed, it says so and offers to
 * read again: bones would stand there for ever.
 * @param reading what it stands for, where that is one read among several: its failure is told without the others
 */
export function ReadSkeleton({ reading: own, ...props }: SkeletonProps & { reading?: Reading }) {
  const all = useFailedReads()
  const [isTold, setTold] = useState(false)
  // once told it stays until it is read again: what else is asked for meanwhile must not take the button away
  const isFailed = all.error !== null && (isTold || !all.isAwaiting)
  if (isFailed !== isTold) setTold(isFailed)
  if (own ? own.error : isFailed) return <ReadFailure reading={own ?? all} />
  return <Skeleton active {...props} />
}

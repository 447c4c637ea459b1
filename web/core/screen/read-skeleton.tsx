import { Skeleton, type SkeletonProps } from 'antd'
import { useFailedReads } from '../service/failed-reads.ts'
import { ReadFailure } from './read-failure.tsx'

/**
 * Stands in the place of what is being read. Where nothing more comes because a read failed, it says so and offers to
 * read again: bones would stand there for ever.
 */
export function ReadSkeleton(props: SkeletonProps) {
  const reading = useFailedReads()
  if (reading.error && !reading.isAwaiting) return <ReadFailure reading={reading} />
  return <Skeleton active {...props} />
}

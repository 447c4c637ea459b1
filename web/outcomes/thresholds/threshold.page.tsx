import { BaseValues } from './base-values.tsx'
import { PromptList } from './prompt-list.tsx'
import { useOpenPart } from './threshold-parts.tsx'
import { WarningList } from './warning-list.tsx'
import './thresholds.css'

/** Students who fall behind, what is expected of whom by when, and who was reminded. */
export function ThresholdPage() {
  const { open } = useOpenPart()
  if (open === 'list') return <WarningList />
  return <div className="page list-page">{open === 'bases' ? <BaseValues /> : <PromptList />}</div>
}

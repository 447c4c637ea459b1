import { BaseValues } from './base-values.tsx'
import { PromptList } from './prompt-list.tsx'
import { usePart } from './threshold-parts.tsx'
import { WarningList } from './warning-list.tsx'
import './thresholds.css'

/** Students who fall behind, what is expected of whom by when, and who was reminded. */
export function ThresholdPage() {
  const [part] = usePart()
  if (part === 'list') return <WarningList />
  return <div className="page list-page">{part === 'bases' ? <BaseValues /> : <PromptList />}</div>
}

import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import WarningOutlined from '@ant-design/icons/WarningOutlined'
import type { ReactNode } from 'react'
import './hint-list.css'

interface Hint {
  level: 'info' | 'warning'
  text: string
}

/**
 * What a reviewer should look at twice; `more` is what stands behind a hint's words, such as the way to the other
 * record.
 */
export function HintList<H extends Hint>({ hints, more }: { hints: readonly H[]; more?: (hint: H) => ReactNode }) {
  return (
    <ul className="hints" aria-label="风险提示">
      {hints.map((hint) => (
        <li key={hint.text} className={`hint hint-${hint.level}`}>
          {hint.level === 'warning' ? <WarningOutlined aria-label="注意" /> : <InfoCircleOutlined aria-label="提示" />}
          <span>
            {hint.text}
            {more?.(hint)}
          </span>
        </li>
      ))}
    </ul>
  )
}

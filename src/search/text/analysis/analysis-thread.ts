// The thread of `TextAnalysis`: answers each message with the terms of its parts.
import { parentPort } from 'node:worker_threads';
import { documentTerms, type TextPart } from '../queries/document-text.js';

const port = parentPort;
if (port === null) throw new Error('This file is for a thread.');
port.on('message', (parts: readonly TextPart[]) => {
  port.postMessage(documentTerms(parts));
});

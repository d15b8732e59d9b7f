import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const root = document.getElementById('console');
if (root) createRoot(root).render(<App />);

#!/bin/sh
. /app/lib/shared.sh
say
exec sleep 3600

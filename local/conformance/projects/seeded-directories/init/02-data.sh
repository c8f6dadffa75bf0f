#!/bin/sh
echo data
